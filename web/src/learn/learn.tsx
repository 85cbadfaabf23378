/** The tutorial and its quiz; hints are counted by the server. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { handing, Radios } from "../fields";
import { Heading, Leave, lazy, Meter, TaskText, useWire } from "../parts";
import type { Chosen, Question, Quiz, Tutorial } from "../state";
import { type Key, maybe, money, t, teach } from "../texts";

const texts = import.meta.glob<{ default: Record<string, string> }>("./learn.??.json");

/** Done when the page's texts are there; most studies never load them. */
let taught: Promise<void> | undefined;

async function learnTexts(): Promise<void> {
  const english = await import("./learn.en.json");
  await teach(english.default, (language) => texts[`./learn.${language}.json`]);
}

interface LearnProps {
  quiz: Quiz;
  tutorial: Tutorial | undefined;
}

/** The page of who learns, with its texts. */
export const LazyLearn = lazy(
  async () => {
    taught ??= learnTexts();
    return { ready: taught };
  },
  () => LearnPage,
);

const STEPS = ["1", "2", "3", "4", "5", "6"];

function LearnPage({ quiz, tutorial }: LearnProps) {
  const { state } = useWire();
  const readable = tutorial !== undefined && (tutorial.text !== "" || tutorial.video !== null);
  const [reading, setReading] = useState(state?.step !== "quiz");
  if (reading && readable) {
    return <TutorialPage tutorial={tutorial} quiz={quiz} onDone={() => setReading(false)} />;
  }
  return <QuizPage quiz={quiz} onBack={readable ? () => setReading(true) : null} />;
}

interface TutorialProps {
  tutorial: Tutorial;
  quiz: Quiz;
  onDone: () => void;
}

function TutorialPage({ tutorial, quiz, onDone }: TutorialProps) {
  const several = tutorial.stage === "multi_tutorial";
  const kind = several ? "multi" : "single";
  const own = tutorial.text !== null;
  const title = t(own ? "tutorial.own" : `tutorial.${kind}`);
  const count = quiz.questions.length;
  return (
    <>
      <Heading>{title}</Heading>
      <section class="card">
        <p>{t(own ? "tutorial.own.text" : "tutorial.text", { count })}</p>
        {tutorial.video && <Film address={tutorial.video} title={title} />}
        {tutorial.text === null ? (
          <ol class="steps">
            {STEPS.map((step) => (
              <li key={step}>
                <p>
                  <strong>{t(`walk.${kind}.${step}.title` as Key)}</strong>
                  <br />
                  {t(`walk.${kind}.${step}` as Key)}
                </p>
              </li>
            ))}
          </ol>
        ) : (
          <TaskText text={tutorial.text} />
        )}
      </section>
      <section class="card">
        <QuizPay quiz={quiz} />
        <div class="row">
          <button type="button" class="main" onClick={onDone}>
            {t("tutorial.go")}
          </button>
          <Leave text={t("leave.learn")} />
        </div>
      </section>
    </>
  );
}

/** A video: a file is played here, another site's page is shown in a frame. */
function Film({ address, title }: { address: string; title: string }) {
  const file = /\.(mp4|m4v|mov|ogg|ogv|webm)([?#]|$)/i.test(address);
  return (
    <>
      {file ? (
        // biome-ignore lint/a11y/useMediaCaption: the text below says the same
        <video src={address} controls preload="metadata" />
      ) : (
        <iframe src={address} title={title} allow="fullscreen" />
      )}
      <p class="small">
        <a href={address} target="_blank" rel="noreferrer">
          {t("tutorial.video")}
        </a>
      </p>
    </>
  );
}

function QuizPay({ quiz }: { quiz: Quiz }) {
  const { pay, few, fewer_to_be_paid, most_to_pass } = quiz;
  return (
    <>
      <h2>{t("quiz.pay")}</h2>
      <ul>
        <li>{t("quiz.pay.base", { amount: money(pay.base), hints: fewer_to_be_paid })}</li>
        <li>{t("quiz.pay.none", { amount: money(pay.no_hint) })}</li>
        <li>{t("quiz.pay.few", { amount: money(pay.few_hints), hints: few })}</li>
        <li>{t("quiz.pay.pass", { hints: most_to_pass })}</li>
      </ul>
    </>
  );
}

/** `onBack` is null where there is nothing to read before the questions. */
function QuizPage({ quiz, onBack }: { quiz: Quiz; onBack: (() => void) | null }) {
  const solved = quiz.questions.filter((question) => question.answered !== null).length;
  return (
    <>
      <Heading>{t("quiz.title")}</Heading>
      <div class="card progress">
        <p role="status">
          {t("quiz.progress", { solved, count: quiz.questions.length })}{" "}
          {t("quiz.hints", { hints: quiz.hints, most: quiz.most_to_pass })}
        </p>
        <Meter share={solved / quiz.questions.length} />
      </div>
      <div class="card">
        <p class="soft small">{t("quiz.text")}</p>
        <div class="row">
          {onBack && (
            <button type="button" class="small" onClick={onBack}>
              {t("quiz.back")}
            </button>
          )}
          <Leave text={t("leave.learn")} />
        </div>
        {!onBack && <QuizPay quiz={quiz} />}
      </div>
      {quiz.questions.map((question, place) => (
        <Ask key={question.id} question={question} place={place + 1} />
      ))}
    </>
  );
}

function Ask({ question, place }: { question: Question; place: number }) {
  const wire = useWire();
  const [option, setOption] = useState<Chosen>(question.several ? [] : "");
  const { id, answered, hint, tried } = question;
  const busy = wire.outbox.some((message) => message.body.question === id);
  const chosen = answered ?? option;
  const before = tried.some((each) => String(each) === String(chosen));
  const usable = chosen.length > 0 && !before && !busy;
  const legend = useRef<HTMLLegendElement>(null);
  // After the right answer or a hint, the focused button is gone.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) legend.current?.focus();
  }, [answered, hint]);
  return (
    <form
      class={answered === null ? "card question" : "card question solved"}
      onSubmit={handing(() => usable && wire.send("answer", { question: id, option: chosen }))}
    >
      <fieldset aria-describedby={hint ? `${id}-hint` : undefined}>
        <legend ref={legend} tabIndex={-1}>
          {place}. {question.text}
        </legend>
        {question.several ? (
          <Ticks question={question} chosen={[...chosen]} onChange={setOption} />
        ) : (
          <Radios
            name={id}
            options={question.options.map(({ id: letter, text }) => ({
              value: letter,
              off: answered !== null || tried.includes(letter),
              text: (
                <>
                  {text}
                  {tried.includes(letter) && <span class="wrongly"> · {t("quiz.wrong")}</span>}
                  {answered === letter && <span class="rightly"> · {t("quiz.right")}</span>}
                </>
              ),
            }))}
            value={String(chosen)}
            onChange={setOption}
          />
        )}
        {before && question.several && (
          <p class="wrongly small" role="alert">
            {t("quiz.wrong")}
          </p>
        )}
      </fieldset>
      {hint && answered === null && (
        <div class="notice" id={`${id}-hint`} role="status">
          <p>
            <strong>{t("quiz.hint")}</strong> {hint}
          </p>
        </div>
      )}
      {answered === null && (
        <div class="row">
          <button type="submit" class="main" aria-disabled={!usable}>
            {t("quiz.check")}
            <span class="heard">
              {" "}
              {maybe("quiz.question", "")} {place}
            </span>
          </button>
          {!hint && (
            <button
              type="button"
              class="quiet small"
              onClick={() => busy || void wire.send("hint", { question: id })}
            >
              {t("quiz.ask")}
            </button>
          )}
        </div>
      )}
    </form>
  );
}

interface TicksProps {
  question: Question;
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** The options of a question of which several are right. */
function Ticks({ question, chosen, onChange }: TicksProps) {
  const { id, options, answered } = question;
  return (
    <>
      <p class="soft small">{t("quiz.several")}</p>
      {options.map(({ id: letter, text }) => (
        <label class="choice" key={letter}>
          <input
            type="checkbox"
            name={id}
            checked={chosen.includes(letter)}
            disabled={answered !== null}
            onChange={({ currentTarget: { checked } }) => {
              const others = chosen.filter((each) => each !== letter);
              onChange(checked ? [...others, letter].sort() : others);
            }}
          />
          <span>
            {text}
            {answered?.includes(letter) && <span class="rightly"> · {t("quiz.right")}</span>}
          </span>
        </label>
      ))}
    </>
  );
}

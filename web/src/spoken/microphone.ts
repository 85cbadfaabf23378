/** The microphone: asked for once, recorded in turns, and how loud it is meanwhile. */

/** Why nothing can be recorded; each says on the page what to do. */
export type Trouble = "insecure" | "unsupported" | "refused" | "missing" | "busy";

export interface Recording {
  blob: Blob;
  seconds: number;
  /** The loudest moment, 0 to 1. */
  loudest: number;
}

/** In the order in which they are wanted: Firefox and Chromium, Firefox, Safari. */
const MEDIA = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
/** The level below which nothing was heard. */
export const SILENCE = 0.02;
const BITS_PER_SECOND = 32_000;
/** Milliseconds between two looks at the level. */
const LOOK = 100;

/** The obstacle before the person is asked; null if there is none. */
export function obstacle(): Trouble | null {
  if (!window.isSecureContext) return "insecure";
  const records = typeof MediaRecorder !== "undefined" && media() !== undefined;
  return records && "mediaDevices" in navigator ? null : "unsupported";
}

const media = (): string | undefined => MEDIA.find((type) => MediaRecorder.isTypeSupported(type));

/** The meaning of the browser's error. */
function trouble(error: unknown): Trouble {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  if (name === "NotReadableError" || name === "AbortError") return "busy";
  return name === "NotAllowedError" || name === "SecurityError" ? "refused" : "unsupported";
}

export class Microphone {
  private recorder: MediaRecorder | null = null;
  private pieces: Blob[] = [];
  private began = 0;
  private loudest = 0;
  private readonly context = new AudioContext();
  private readonly analyser = this.context.createAnalyser();
  private readonly samples = new Float32Array(this.analyser.fftSize);
  private readonly timer: ReturnType<typeof setInterval>;

  private constructor(
    private readonly stream: MediaStream,
    onLevel: (level: number) => void,
  ) {
    this.context.createMediaStreamSource(stream).connect(this.analyser);
    this.timer = setInterval(() => onLevel(this.level()), LOOK);
  }

  /** Asks for the microphone; throws a `Trouble`. */
  static async open(onLevel: (level: number) => void): Promise<Microphone> {
    const before = obstacle();
    if (before) throw before;
    try {
      return new Microphone(await navigator.mediaDevices.getUserMedia({ audio: true }), onLevel);
    } catch (error) {
      throw trouble(error);
    }
  }

  /** How loud it is now, 0 to 1: the root mean square, stretched so that speech fills the bar. */
  private level(): number {
    this.analyser.getFloatTimeDomainData(this.samples);
    const power = this.samples.reduce((sum, each) => sum + each * each, 0) / this.samples.length;
    const level = Math.min(1, Math.sqrt(power) * 4);
    this.loudest = Math.max(this.loudest, level);
    return level;
  }

  start(): void {
    void this.context.resume();
    const type = media();
    this.recorder = new MediaRecorder(this.stream, {
      audioBitsPerSecond: BITS_PER_SECOND,
      ...(type ? { mimeType: type } : {}),
    });
    this.pieces = [];
    this.loudest = 0;
    this.recorder.ondataavailable = ({ data }) => this.pieces.push(data);
    this.recorder.start();
    this.began = performance.now();
  }

  stop(): Promise<Recording> {
    const { recorder } = this;
    const seconds = (performance.now() - this.began) / 1000;
    return new Promise((resolve) => {
      const done = () => {
        const type = (recorder?.mimeType ?? "").split(";")[0] ?? "";
        const blob = new Blob(this.pieces, { type });
        resolve({ blob, seconds, loudest: this.loudest });
      };
      if (!recorder || recorder.state === "inactive") return done();
      recorder.onstop = done;
      recorder.stop();
    });
  }

  close(): void {
    clearInterval(this.timer);
    for (const track of this.stream.getTracks()) track.stop();
    void this.context.close();
  }
}

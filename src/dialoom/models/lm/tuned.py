"""The model `lm`: a language model of a folder, fine-tuned on the training part of an experiment.

    dialoom train sgd-slots --corpus corpora --model lm:models/small --out slots.model

It learns to continue the prompts of `kinds/` with the right answers. A file of it holds what was
trained, and names the folder, which must still have the same weights.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.errors import FormatError
from dialoom.http.local import LocalModel
from dialoom.learn.model import Examples, Schemas, known, need
from dialoom.models.lm.model import FolderModel, weights_version


@dataclass
class TunedModel(FolderModel):
    """Fine-tunes a model of a folder: `--model lm:FOLDER`.

    Attributes:
        rank: The rank of the trained adapters (LoRA); 0 trains all weights.
        epochs: Passes over the examples.
        rate: The learning rate at the beginning.
        batch: How many examples a step takes.
        dialogues: How many dialogues are learned from, drawn by `seed`; 0 for all.
    """

    name: ClassVar[str] = "lm"
    rank: Annotated[int, Meta(ge=0, le=1024)] = 8
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 1
    rate: Annotated[float, Meta(gt=0, le=1)] = 2e-4
    batch: Annotated[int, Meta(ge=1, le=4096)] = 8
    dialogues: Annotated[int, Meta(ge=0)] = 0
    _weights: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _base: str = field(default="", init=False, repr=False)
    _local: LocalModel | None = field(default=None, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a file: without network and connections."""
        left_out = ("_local", "_folder", "_budget")
        return {name: value for name, value in vars(self).items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Train; `UsageError` without examples, other errors as of `load_pretrained`."""
        need(examples)
        ids = self.learnt_from(examples)
        sample = [example for example in examples if example.question.dialogue.id in ids]
        super().fit(sample, schemas)
        self._local = local = LocalModel(Path(self.folder))
        questions, pairs = [example.question for example in sample], []
        for example, neighbours in zip(sample, self.similar(questions), strict=True):
            prompt, messages = self.chat(example.question, neighbours, schemas)
            pairs.append(local.pair(messages, prompt.answered(example)))
        tuner = self._tuner(local)
        tuner.train(pairs, epochs=self.epochs, rate=self.rate, batch=self.batch)
        self._weights, self._base = tuner.arrays(), weights_version(Path(self.folder))
        if not self.shots:
            self._given = ()

    def learnt_from(self, examples: Examples) -> frozenset[str]:
        """Return the ids of the drawn dialogues."""
        ids = list(dict.fromkeys(example.question.dialogue.id for example in examples))
        return frozenset(Random(self.seed).sample(ids, min(self.dialogues or len(ids), len(ids))))

    def connect(self) -> tuple[LocalModel, str]:
        """Return the fine-tuned model, and the digest of all its weights.

        `UsageError` if it is not fitted, `FormatError` if the folder has other weights than then.
        """
        learnt, folder = known(self._weights), Path(self.folder)
        if self._local is None:
            local = LocalModel(folder)
            if weights_version(folder) != self._base:
                raise FormatError(
                    folder, "other weights than those that were fine-tuned", code="mismatch"
                )
            self._tuner(local).restore(learnt)
            self._local = local
        checksum = hashlib.sha256(self._base.encode())
        for _, values in sorted(learnt.items()):
            checksum.update(values.tobytes())
        return self._local, checksum.hexdigest()

    def _tuner(self, local: LocalModel) -> Any:
        from dialoom.models.lm.tuning import Tuner

        return Tuner(local.network, self.rank, self.seed)

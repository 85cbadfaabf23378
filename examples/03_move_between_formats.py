"""Move a corpus to other formats, and see what each of them cannot hold.

    python examples/03_move_between_formats.py

The loss is measured: what was written is read back and compared, field by field.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from dialoom import formats
from dialoom.formats.base.conversion import convert

corpus = formats.load(Path(__file__).with_name("sample"))
print(f"{len(corpus.files)} dialogues of the format {corpus.format}\n")

for name in ("star", "native", "sgd", "chat", "babi"):
    with TemporaryDirectory() as folder:
        loss = convert(corpus.dialogues, corpus.schemas, formats.get(name), Path(folder))
        files = [file for file in Path(folder).rglob("*") if file.is_file()]
        print(f"{name}: {len(files)} files; {'nothing is lost' if not loss else 'not held:'}")
        for field, count in loss.most_common(5):
            print(f"  {count:>4}  {field}")
        if len(loss) > 5:
            print(f"        … and {len(loss) - 5} more fields")

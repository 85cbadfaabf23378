"""A weather bot behind a web hook, with nothing of dialoom in it: `python bot.py 8000`."""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ASK = {"Day": "Which day are you interested in?", "City": "And where will you be?"}
TELL = "{City} will be {Weather} on {Day}, at about {TemperatureCelsius} degrees."
NOTHING = "I have no forecast for {City} on {Day}. Shall we try another day or place?"
CLOSE = ["Can I do something more for you today?", "You're welcome. Until next time."]
OTHER = {"Day": "day,second,one more,forecast", "City": "city,town,place,somewhere,trip,forecast"}
talks = {}


def answer(turn: dict) -> dict:
    talk = talks.setdefault(turn["dialogue"], {"known": {}, "close": []})
    if "tools" in turn:  # the first turn says which days and cities there are
        talk["choices"] = turn["tools"][0]["function"]["parameters"]["properties"]
    event = turn["events"][-1]
    if "result" in event:
        talk["close"] = list(CLOSE)
        rows = [TELL.format(**row) for row in event["result"]]
        return {"say": rows[0] if rows else NOTHING.format(**talk["known"])}
    heard = event["user"].lower().replace("nice day", "").replace("good day", "")
    words = {*re.findall(r"\w+", heard)}
    other = [slot for slot, named in OTHER.items() if any(w in heard for w in named.split(","))]
    if talk["close"] and not other:
        return {"say": talk["close"].pop(0)}
    if talk["close"]:  # another forecast is asked for
        talk.update(close=[], known={s: v for s, v in talk["known"].items() if s not in other})
    for slot, column in talk["choices"].items():
        named = [v for v in column["enum"] if words & {*v.lower().split()}]
        talk["known"].update({slot: named[-1]} if named else {})
    missing = [text for slot, text in ASK.items() if slot not in talk["known"]]
    call = {"name": "weather", "arguments": talk["known"]}
    return {"say": missing[0]} if missing else {"call": call}


class Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        turn = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer(turn)).encode())


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Hook) as server:
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()

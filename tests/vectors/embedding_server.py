"""The embeddings endpoint of OpenAI's protocol on loopback, with faults to order."""

import base64
import json
import struct
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import override

from cardwright.vectors.embedding.hashing import hashed


class EmbeddingServer:
    """Answers hashed vectors of 1536 numbers, after the statuses in `faults` are used up."""

    def __init__(self) -> None:
        self.requests: list[list[str]] = []
        self.faults: deque[int] = deque()
        self.short = False
        self.unwanted = ""
        """A request with a text that contains it is refused with status 400."""
        self.free = 10**9
        """So many requests pass the gate even while it is closed."""
        self.gate = threading.Event()
        self.gate.set()
        handler = type("Handler", (_Handler,), {"server_of": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def texts(self) -> list[str]:
        return [text for texts in self.requests for text in texts]

    def stop(self) -> None:
        self.gate.set()
        self._http.shutdown()
        self._http.server_close()


class _Handler(BaseHTTPRequestHandler):
    server_of: EmbeddingServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.server_of.requests.append(texts)
        if len(self.server_of.requests) > self.server_of.free:
            self.server_of.gate.wait(30)
        if self.server_of.faults:
            self._say({"error": {"message": "ordered"}}, self.server_of.faults.popleft())
            return
        unwanted = self.server_of.unwanted
        if unwanted and any(unwanted in text for text in texts):
            self._say({"error": {"message": "input is not acceptable"}}, 400)
            return
        vectors = [hashed(text) * 6 for text in texts][: -1 if self.server_of.short else None]
        packed = [base64.b64encode(struct.pack(f"<{len(v)}f", *v)).decode() for v in vectors]
        encoded = packed if body.get("encoding_format") == "base64" else vectors
        data = [
            {"object": "embedding", "index": at, "embedding": one} for at, one in enumerate(encoded)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        self._say({"object": "list", "data": data, "model": body["model"], "usage": usage})

    def _say(self, body: object, status: int = 200) -> None:
        payload = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(payload)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""

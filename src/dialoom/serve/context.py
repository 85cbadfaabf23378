"""The context of all requests: the study's hub, the signer, the rate limits."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.websockets import WebSocket

from dialoom.collect.message import Refused
from dialoom.serve.hub import Hub
from dialoom.serve.limits import Buckets, Limits
from dialoom.serve.links import ADMIN_COOKIE, AdminSession, Link, Signer, cookie_name


@dataclass
class AppContext:
    """The parts of the application that requests use.

    Attributes:
        signer: Signs and checks links and cookies with the study's secret.
        public: The public address of the server; None for the address of the request.
        hosts: Assignment begun by a study link to the host that it came from; kept in memory only.
    """

    hub: Hub
    signer: Signer
    public: str | None = None
    limits: Limits = field(default_factory=Limits)
    hosts: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.joins = Buckets(self.limits.joins)
        self.logins = Buckets(self.limits.logins)
        self.uploads = Buckets(self.limits.uploads)
        self.talks = Buckets(self.limits.talks)

    def assignment(self, request: Request) -> int:
        """Return the assignment of a link's cookie; `Refused` (`forged`) without a valid one."""
        number = self.session(request, request.path_params["link"])
        if number is None:
            raise Refused("forged", "This link was not used in this browser.")
        return number

    def session(self, connection: Request | WebSocket, link: str) -> int | None:
        """Return the assignment of the cookie that a browser has for a link; None without one."""
        name = cookie_name(link)
        return self._read(name, connection.cookies.get(name, ""))

    def sessions(self, request: Request) -> list[int]:
        """Return the assignments whose cookies a browser sends, for any links."""
        read = (self._read(*cookie) for cookie in request.cookies.items())
        return [number for number in read if number is not None]

    def _read(self, name: str, text: str) -> int | None:
        session = self.signer.read_session(name, text)
        one = session and self.hub.study.state.assignments.get(session.assignment)
        return one.number if one and session and session.since in (None, one.entered) else None

    def see(self, assignment: int, link: Link, host: str) -> None:
        """Remember the host from which an assignment came, if it came by a link for everybody."""
        live = self.hub.study.state.live
        if link.kind == "study" and assignment not in self.hosts:
            self.hosts = {number: at for number, at in self.hosts.items() if number in live}
            self.hosts[assignment] = host

    def admin(self, request: Request) -> AdminSession | None:
        """Return the admin's session of a request's cookie; None without a valid one."""
        cookie, study = request.cookies.get(ADMIN_COOKIE, ""), self.hub.study
        session = self.signer.read_admin(cookie, self.hub.now(), study.settings.renewed)
        return None if session is None or session.id in study.state.logged_out else session

    def address(self, request: Request) -> str:
        """Return the address that links begin with."""
        return (self.public or str(request.base_url)).rstrip("/")


def context_of(connection: Request | WebSocket) -> AppContext:
    """Return the context of the application that a request is for."""
    context: AppContext = connection.app.state.context
    return context

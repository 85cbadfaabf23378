"""The context of all requests: the study's hub, the signer, the pages, the rate limits."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.websockets import WebSocket

from dialoom.collect.message import Refused
from dialoom.serve.hub import Hub
from dialoom.serve.limits import Buckets, Limits
from dialoom.serve.links import (
    ADMIN_COOKIE,
    AdminSession,
    BrowserSession,
    Link,
    Signer,
    cookie_name,
)
from dialoom.serve.pages import Pages


@dataclass
class AppContext:
    """The parts of the application that requests use.

    Attributes:
        hub: The hub of the study.
        signer: Signs and checks links and cookies with the study's secret.
        pages: The built pages.
        public: The public address of the server; None for the address of the request.
        limits: The rate limits of each host.
        hosts: Assignment begun by a study link to the host that it was last seen at; kept in memory
            only.
    """

    hub: Hub
    signer: Signer
    pages: Pages
    public: str | None = None
    limits: Limits = field(default_factory=Limits)
    hosts: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.joins = Buckets(self.limits.joins)
        self.logins = Buckets(self.limits.logins)
        self.uploads = Buckets(self.limits.uploads)

    def assignment(self, request: Request) -> int:
        """Return the assignment of the cookie that a request on a link has.

        Raises:
            Refused: `forged`: the request has no valid cookie of that link.
        """
        name = cookie_name(request.path_params["link"])
        session = self.signer.read_session(name, request.cookies.get(name, ""))
        if session is None or not self.hub.knows(session.assignment):
            raise Refused("forged", "This link was not used in this browser.")
        return session.assignment

    def sessions(self, request: Request) -> list[BrowserSession]:
        """Return the sessions whose cookies a browser sends."""
        read = (self.signer.read_session(*cookie) for cookie in request.cookies.items())
        return [session for session in read if session and self.hub.knows(session.assignment)]

    def see(self, assignment: int, link: Link, host: str) -> None:
        """Remember at which host an assignment is, if it came by a link for everybody."""
        live = self.hub.study.state.live
        if link.kind == "study":
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

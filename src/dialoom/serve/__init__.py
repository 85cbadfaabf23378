"""The collection server: Starlette and WebSocket around `dialoom.collect` (docs/wire-protocol.md).

app         the application: its routes, and what they share (context)
joining     from a link to an assignment
socket      reads a participant's WebSocket; connection holds the queue of frames to send
hub         carries out messages and commands: writes to the store first, then sends frames
updates     the frames that a page lacks, from what it was sent before
ranking     suggestions for wizards, ranked in a thread
admin       the admin's interface; responses has JSON and refusals over HTTP
pages       the built pages
links       signed links, sessions, seat tokens, the admin's token
limits      token buckets and sizes
headers     security headers, same-origin checks
server      listens and stops; transport cuts off slow clients
bots        programs in seats
"""

"""The collection server: Starlette and WebSocket around `dialoom.collect`.

docs/reference/wire-protocol.md describes its protocol.

app         the application: its routes, and what they share (context)
joining     the request by which a link gives an assignment
socket      reads a participant's WebSocket; connection holds the queue of frames to send
hub         carries out messages and commands: writes to the store first, then sends frames
updates     the frames that bring a page up to date
blobs       sounds of spoken dialogues, and drafts of their transcripts
admin       the admin's interface, and its downloads; responses has JSON and refusals
erasing     erasure of people
pages       the built pages
links       signed links, sessions, seat tokens, the admin's token
limits      token buckets and sizes
headers     security headers, same-origin checks
server      listens and stops; cuts off slow clients
bots        programs that play the user or the wizard; bot_talks: bots that people rate
chat/       an agent served on a page (`dialoom serve`)
"""

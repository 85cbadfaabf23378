"""The collection server: FastAPI and WebSocket around `dialoom.collect` (docs/wire-protocol.md).

links       signed links, sessions, seat tokens, the admin's token
limits      token buckets and sizes
headers     security headers, same-origin
hub         study, store and connections: what is told is written, and in order
view        what a page has been told, and what it lacks
ranking     suggestions, in a thread
connection  one WebSocket's queue; socket reads it
joining     from a link to an assignment; site has what all requests share
app         the application; admin has the admin's interface, pages the built pages
server      listens, and stops well; transport cuts off who is slow
bots        programs in seats
"""

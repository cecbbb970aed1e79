/** The first text of the reference. Markdown. */
export const INTRODUCTION = `Mailstead manages mail domains, mailboxes, aliases, quotas and outbound mail of many partners.

**Start.** Get an API key from the operator of this service, then:

1. \`POST /domains/\` creates a domain. Its verification starts by itself.
2. \`GET /domains/{domain_name}/dns-check\` returns all DNS records to publish and compares them with the DNS; \`GET /domains/{domain_name}/relay-status\`
   returns the state of the verification.
3. \`POST /users/\` creates a mailbox, \`POST /aliases/\` an alias.

**Authentication.** Send \`Authorization: Bearer <token>\` on every route, except the public ones of *Service*. \`GET /me\` returns the caller of a
token. Resources of other partners respond with 404, like absent ones. The groups *Operators* need the master token or an operator token.

**Requests.** Bodies are JSON. Unknown fields and unknown query parameters are refused with 422. Times are UTC, in responses without a zone.
A limit of 0 means unlimited.

**Errors.** Every error is problem details (RFC 9457) with a stable \`code\` for programs and a \`detail\` for people. A 422 lists every wrong field in
\`errors\`; of unknown names and of the items of a list the first 20 and how many more. 429 and 503 have \`Retry-After\`. A known path with another method is 405 with \`Allow\`; an unknown path is 404 \`route_not_found\`.

**Rates.** Each partner has a number of requests per second, of which one API key may use half. The headers \`RateLimit-Policy\` and \`RateLimit\` of a
response show it, and a request above it is 429 \`rate_limited\`.

**Lists.** A list is an array, oldest row first unless the route says otherwise. Without \`limit\` it is complete. With \`?limit=100\` it is a page, and
the header \`Link\` has the next one (\`rel="next"\`), when there is one.

**Repeats.** The POST routes that create a resource take an \`Idempotency-Key\`: the same key and body within 24 hours get the first response again, with
\`Idempotent-Replayed: true\`. So a program may repeat a request when it does not know whether the first one arrived.

**Ids.** Every response has \`X-Request-Id\`. Give it to the operator when you report a problem.

The same document for programs: [/openapi.json](/openapi.json). Four documents of the project: the rules for all routes ([api.md](/docs/api.md)), all codes
([error-codes.md](/docs/error-codes.md)), who may use which route ([access.md](/docs/access.md)),
and what may change within a version of the API ([api-versions.md](/docs/api-versions.md)).
`;

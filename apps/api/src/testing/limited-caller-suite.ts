import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { sampled } from '@mailstead/core/testing/sampled';
import type { Route } from '../http/route.js';
import { MASTER, startTestApi } from './api-fixture.js';
import type { ExampleWorld } from './example-world.js';
import { type Answer, FOREIGN, HIDDEN, type LimitedCaller, OWN, PartnerOf, type Request } from './limited-world.js';

/** The access of routes that are for the operator, or for keys that are not limited to some domains. */
const CLOSED: readonly Route['access'][] = ['master', 'key'];
const FILLING: Request[] = ['one', 'two', 'three', 'four'].map((name) => ({
  method: 'post',
  url: '/aliases/',
  body: { address: `${name}@${OWN}`, destination: `info@${OWN}` },
}));

/** The requests to a route: its example about the own domain, about a hidden one, and a mixture, with every query. */
function requestsOf(route: Route, { document }: ExampleWorld, own = OWN): Request[] {
  const domains = [HIDDEN[0], own];
  const { parameters, requestBody } = document.operation(route);
  const example = requestBody?.content['application/json']?.example;
  const about = (value: unknown, domain: string): unknown =>
    value === undefined ? undefined : (JSON.parse(JSON.stringify(value).replaceAll(OWN, domain)) as unknown);
  const path = (domain: string) =>
    parameters
      .filter((parameter) => parameter.in === 'path')
      .reduce((url, { name, example: value }) => {
        const id = { alias: 'alias', deleted_id: 'deleted_id', key_id: 'key_id' }[name];
        const isOwnAlias = name === 'alias' && domain === own;
        const text = isOwnAlias ? 'OWN-alias' : id === undefined ? String(about(value, domain)) : `HIDDEN-${id}`;
        return url.replace(new RegExp(`[:*]${name}`), encodeURIComponent(text));
      }, route.path);
  const queries = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map(({ name, example: value }) => [name, String(value)] as const);
  const required = queries.filter(([name]) => parameters.some((one) => one.name === name && one.required));
  const urls = domains.flatMap((domain) => [
    ...queries.flatMap((query) =>
      domains.map((other) => withQuery(path(domain), [...required, [query[0], query[1].replaceAll(OWN, other)]])),
    ),
    withQuery(path(domain), required),
  ]);
  const bodies = example === undefined ? [undefined] : domains.map((domain) => about(example, domain));
  const requests = [...new Set(urls)].flatMap((url) => bodies.map((body) => ({ method: route.method, url, body })));
  // A route that is closed to each of these callers refuses it whatever the request is. The slow tests send all.
  return CLOSED.includes(route.access) ? sampled(requests, 1) : requests;
}

function withQuery(path: string, query: (readonly [string, string])[]): string {
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query.map(([...pair]) => pair)).toString()}`;
}

/** Ids, times and positions may differ, because other rows were created too. */
function normalised(answer: Answer): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/"(id|key_id|made_by|home)":\d+/g, '"$1":0')
    .replaceAll(/"(key|link):\d+"/g, '"$1"')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/g, 'TIME')
    .replaceAll(/after=\d+/g, 'after=0')
    .replaceAll(/"request_id":"[^"]*"/g, '')
    .replaceAll(/"csrf_token":"[^"]*"/g, '')
    .replaceAll(/token=[0-9a-f]{40}/g, 'CHALLENGE');
  return JSON.parse(text.replaceAll(/,(?=[}\]])/g, '').replaceAll(/,,/g, ','));
}

/**
 * The matrix of a caller that is limited to one domain and every route.
 *
 * @param routes the number of routes of which an example succeeds, at least
 */
export function limitedCallerSuite(kind: DatabaseKind, limited: LimitedCaller = 'key', routes = 25): void {
  let alone: PartnerOf;
  let among: PartnerOf;

  beforeAll(async () => {
    [alone, among] = await Promise.all([startTestApi(kind), startTestApi(kind)]).then(([left, right]) => [
      new PartnerOf(left, limited),
      new PartnerOf(right, limited),
    ]);
    await alone.open();
    await among.open();
    await among.hide();
    for (const { api } of [alone, among]) await api.container.get(EventPositioner).giveAll();
  });
  afterAll(() => Promise.all([alone.api.close(), among.api.close()]));

  /** Deletions are last, because the other requests need the things; then everything is read once more. */
  const guarded = () => {
    const all = alone.api.routes.filter(({ access }) => access !== 'public');
    const those = (...methods: string[]) => all.filter(({ method }) => methods.includes(method));
    return [...those('get'), ...those('post', 'put'), ...those('delete'), ...those('get')];
  };

  /** The examples, and in their midst a few requests that fill the alias quota, to which other domains contribute. */
  const requestsInOrder = (): [Route | null, Request[]][] => {
    const routes = guarded().map((route): [Route, Request[]] => [route, requestsOf(route, alone.examples)]);
    const firstDeletion = routes.findIndex(([{ method }]) => method === 'delete');
    return [...routes.slice(0, firstDeletion), [null, FILLING], ...routes.slice(firstDeletion)];
  };

  it('a caller limited to one domain gets the same answers as if the partner had no other, on every route', async () => {
    const hidden = async () => {
      const whole = among.as(among.whole);
      // The aliases that deliver to a deleted mailbox of the own domain go with it.
      const lists = await Promise.all(
        HIDDEN.flatMap((domain) => [
          whole.get(`/domains/${domain}/outbound`),
          whole.get(`/users/?domain=${domain}`),
          whole.get(`/aliases/?destination=info@${domain}`),
        ]),
      );
      return lists.map(({ body }) => body as unknown);
    };
    const before = await hidden();
    const succeeded = new Set<Route>();
    for (const [route, requests] of requestsInOrder()) {
      for (const request of requests) {
        const [expected, answer] = [await alone.send(request), await among.send(request)];
        const { method, url, body } = request;
        expect([method, url, body, normalised(answer)]).toEqual([method, url, body, normalised(expected)]);
        if (route !== null && answer.status < 300) succeeded.add(route);
      }
      for (const { api } of [alone, among]) await api.container.get(EventPositioner).giveAll();
    }
    expect(succeeded.size).toBeGreaterThanOrEqual(routes);
    expect(await hidden()).toEqual(before);
  });

  it('names no other domain: not as a parent, not as the destination of its aliases, not in an event or an error', async () => {
    const { api, whole } = among;
    const own = `child.${HIDDEN[1]}`;
    await among.fill(own);
    await api.as(MASTER).put(`/domains/${own}/parent`, { parent: HIDDEN[1] }).expect(200);
    await api.as(MASTER).put(`/domains/${HIDDEN[1]}/outbound`, { outbound_tier: 'high' }).expect(200);
    await api.as(MASTER).post(`/domains/${HIDDEN[1]}/relay-verify`).expect(202);
    api.relay.says(HIDDEN[1], 'verified');
    api.clock.advance(20_000);
    await api.as(whole).get(`/domains/${HIDDEN[1]}/relay-status`).expect(200);
    for (const sender of [`info@${own}`, `info@${HIDDEN[0]}`, `nobody@${HIDDEN[0]}`]) {
      await api.as(MASTER).post(`/domains/${own}/outbound/increment`, { sender }).expect(200);
    }
    const outward = await api.as(whole).post('/aliases/', { address: `out@${own}`, destination: `info@${HIDDEN[0]}` });
    const caller = await among.limitedTo(own);
    const get = async (path: string) => {
      const { status, body } = await among.send({ method: 'get', url: path, body: undefined }, caller);
      expect([path, status]).toEqual([path, 200]);
      return body;
    };
    expect(await get(`/domains/${own}/relay-status`)).toMatchObject({ verified: true, inherited_from: null });
    if (limited !== 'dns link') {
      expect(await get(`/domains/${own}`)).toMatchObject({ parent: null, verification_status: 'verified', aliases: 2 });
      expect(await get(`/domains/${own}/outbound`)).toMatchObject({ outbound_tier: 'high', inherited_from: null });
      expect(await get(`/aliases/${outward.body.id}`)).toMatchObject({ address: `out@${own}`, destination: null });
      expect(await get(`/domains/${own}/outbound/senders`)).toMatchObject([{ sender: `info@${own}`, sent_today: 1 }]);
      for (const filter of [`destination=info@${HIDDEN[0]}`, `destination=info@${HIDDEN[0]}&q=out`]) {
        expect(await get(`/aliases/?${filter}`)).toEqual([]);
      }
    }
    await api.container.get(EventPositioner).giveAll();
    if (limited !== 'dns link') expect(JSON.stringify(await get('/events'))).not.toMatch(/"parent(_id)?":[^n]/);
    const answers: [Request, Answer][] = [];
    for (const route of guarded()) {
      for (const request of requestsOf(route, among.examples, own)) {
        answers.push([request, await among.send(request, caller)]);
      }
    }
    const named = answers.filter(([request, answer]) => {
      const asked = JSON.stringify(request);
      // What the caller wrote itself may be in the answer, and the zone, which everybody reads in the DNS.
      const told = JSON.stringify(answer)
        .replaceAll(own, '')
        .replace(/"zone":\{"name":"[^"]*"/, '');
      return [...HIDDEN, ...FOREIGN].some(
        (domain) => told.includes(domain) && !asked.replaceAll(own, '').includes(domain),
      );
    });
    expect(named).toEqual([]);
  });
}

import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { until } from '@mailstead/core/testing/until';
import { MASTER, POLICY, type TestApi } from '../testing/api-fixture.js';
import type { Receivers } from '../webhook-endpoints/testing/receivers.js';
import { WebhookWorld } from '../webhook-endpoints/testing/webhook-world.js';

const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  describe('a domain that another partner gets, and its former one again', () => {
    let world: WebhookWorld;
    let api: TestApi;
    let receivers: Receivers;
    let worlds = 0;

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
      ({ api, receivers } = world);
    });
    afterAll(() => world.close());

    async function aWorld() {
      worlds += 1;
      const [former, next] = [`former${worlds}`, `next${worlds}`];
      const [ofFormer, ofNext] = [await api.key(former), await api.key(next)];
      const name = `moving${worlds}.example`;
      await api.as(ofFormer).post('/domains/', { name }).expect(201);
      api.clock.advance(MINUTE_MS);
      const moveTo = async (ref: string) => {
        await api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref: ref }).expect(200);
        api.clock.advance(MINUTE_MS);
      };
      return { former, next, ofFormer, ofNext, name, moveTo };
    }
    const deliver = (turns?: number) => world.deliver(turns);
    async function anEndpoint(token: string, url: string): Promise<number> {
      const { body } = await api.as(token).post('/webhook-endpoints', { url }).expect(201);
      await deliver();
      return (body as { id: number }).id;
    }

    it('tells each webhook what happened while its partner had the domain, also late and delivered again', async () => {
      const { former, next, ofFormer, ofNext, name, moveTo } = await aWorld();
      const urls = { former: 'https://former.example/', next: 'https://next.example/' };
      const ids = [await anEndpoint(ofFormer, urls.former), await anEndpoint(ofNext, urls.next)];
      const addMailbox = (local: string, token: string) =>
        api
          .as(token)
          .post('/users/', { email: `${local}@${name}`, password_hash: PASSWORD_HASH })
          .expect(201);
      await addMailbox('one', ofFormer);
      // Its delivery is under way while the domain moves, fails, and is tried again after the domain came back.
      receivers.answers.set(urls.former, 'hang');
      await world.give();
      await world.turn();
      await until('the delivery is under way', () => receivers.openUrls === 1);
      await moveTo(next);
      receivers.answers.set(urls.former, { outcome: 'refused', status: 500 });
      receivers.release();
      await world.deliveries.idle();
      await addMailbox('two', ofNext);
      await api.as(ofNext).put(`/domains/${name}/suspend`, {}).expect(200);
      await deliver();
      receivers.answers.clear();
      await moveTo(former);
      await addMailbox('three', ofFormer);
      api.clock.advance(HOUR_MS);
      await deliver(6);
      const told = (url: string) => receivers.events(url).map(({ type, subject }) => `${type} ${subject}`);
      const last = (await api.as(MASTER).get('/events?order=desc&limit=1').expect(200)).body as [{ id: number }];
      for (const [index, token] of [ofFormer, ofNext].entries()) {
        await api
          .as(token)
          .post(`/webhook-endpoints/${ids[index]}/redeliver`, { after: 0, until: last[0].id })
          .expect(202);
      }
      await deliver(8);
      const moved = `domain.moved ${name}`;
      expect(new Set(told(urls.former))).toEqual(
        new Set([
          `mailbox.created one@${name}`,
          moved,
          `mailbox.created three@${name}`,
          'key.created clie…6789',
          `domain.created ${name}`,
          `webhook.created webhook:${ids[0]}`,
        ]),
      );
      expect(new Set(told(urls.next))).toEqual(
        new Set([
          moved,
          `mailbox.created two@${name}`,
          `domain.suspended ${name}`,
          'key.created clie…6789',
          `webhook.created webhook:${ids[1]}`,
        ]),
      );
      const bodiesOf = (wanted: string) => JSON.stringify(receivers.bodies(wanted));
      expect(bodiesOf(urls.former)).not.toContain(next);
      expect(bodiesOf(urls.next)).not.toContain(former);
    });

    it('shows a message to the partner that had the domain at its time, however late it is reported', async () => {
      const { former, next, ofFormer, ofNext, name, moveTo } = await aWorld();
      const item = (at: Date, recipient: string, fields: object = {}) => ({
        host: 'mx1.example',
        queue_id: `Q${at.getTime()}`,
        at: at.toISOString(),
        step: 'accepted',
        direction: 'out',
        domain: name,
        sender: `info@${name}`,
        recipient: `${recipient}@elsewhere.example`,
        ...fields,
      });
      const report = async (messages: [string, Date][]) => {
        const items = messages.flatMap(([recipient, at]) => [
          item(at, recipient),
          item(at, recipient, { step: 'relayed', detail: '250 ok' }),
        ]);
        const { body } = await api.as(POLICY).post('/outbound/trail', { items }).expect(202);
        return body as object;
      };
      const messages: [string, Date][] = [];
      const send = (recipient: string) => {
        messages.push([recipient, api.clock.now()]);
        api.clock.advance(MINUTE_MS);
      };
      send('first');
      await moveTo(next);
      send('second');
      await moveTo(former);
      send('third');
      expect(await report(messages)).toEqual({ taken: 6, dropped: 0 });
      send('fourth');
      await api.as(ofFormer).delete(`/domains/${name}`).expect(204);
      send('nobody');
      await api.as(ofNext).post('/domains/', { name }).expect(201);
      send('fifth');
      expect(await report(messages.slice(3))).toEqual({ taken: 4, dropped: 2 });
      const shown = async (token: string) =>
        (
          (await api.as(token).get(`/messages?domain=${name}`).expect(200)).body as {
            recipient: string;
            state: string;
          }[]
        )
          .map(({ recipient, state }) => `${recipient.split('@')[0]} ${state}`)
          .toSorted();
      expect(await shown(ofFormer)).toEqual(['first relayed', 'fourth relayed', 'third relayed']);
      expect(await shown(ofNext)).toEqual(['fifth relayed', 'second relayed']);
    });
  });
});

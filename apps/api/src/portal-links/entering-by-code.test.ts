import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import supertest from 'supertest';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { LinkWorld } from '../testing/link-world.js';

onEachDatabase((kind) => {
  describe('a portal link', () => {
    let api: TestApi;
    let links: LinkWorld;

    beforeAll(async () => {
      api = await startTestApi(kind);
      links = new LinkWorld(api);
    });
    afterAll(() => api.close());

    describe('with its code', () => {
      const preview = (code: string) => supertest(api.url).post('/sessions/preview').send({ code });

      it('says who one will be without using anything up', async () => {
        const { key, domain } = await links.partner();
        const made = await links.create(key, { domain, scope: 'manage' });
        for (let index = 0; index < 2; index += 1) {
          const { body } = await preview(made.code).expect(200);
          expect(body).toEqual({ kind: 'client', link: 'manage', domain, expires_at: expect.any(String) });
        }
        await links.enter(made);
        expect((await preview(made.code).expect(401)).body.code).toBe('invalid_code');
        expect((await preview('x'.repeat(43)).expect(401)).body.code).toBe('invalid_code');
        await preview('short').expect(422);
      });

      it('enters by itself alone, and not from elsewhere: a refused exchange uses nothing up', async () => {
        const { key, domain } = await links.partner();
        const made = await links.create(key, { domain, scope: 'manage' });
        const exchange = (headers: Record<string, string>, code: unknown = made.code) =>
          supertest(api.url).post('/sessions').set(headers).send({ code });
        expect((await exchange({ Origin: 'https://evil.example' }).expect(403)).body.code).toBe('origin_not_allowed');
        expect((await exchange({ Host: 'mail.example' }).expect(403)).body.code).toBe('session_needs_tls');
        await exchange({ Authorization: `Bearer ${key}` }).expect(422);
        await exchange({}, 7).expect(422);
        await supertest(api.url).post('/sessions').send({}).expect(401);
        expect((await exchange({}, 'y'.repeat(43)).expect(401)).body.code).toBe('invalid_code');
        // The password of a proxy is no token.
        await exchange({ Authorization: 'Basic eDp5' }).expect(201);
      });
    });
  });
});

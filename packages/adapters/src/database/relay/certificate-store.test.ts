import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlCertificateStore } from './certificate-store.js';
import { TypeormRelayStates } from './relay-states.js';

onEachDatabase((kind) => {
  describe('the stored certificate', () => {
    let opened: TestDatabase;
    let store: SqlCertificateStore;

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
      store = new SqlCertificateStore(opened.database);
    });
    afterAll(() => opened.close());

    it('is the last one that was saved, and is kept beside the state of the relay', async () => {
      expect(await store.read()).toBeNull();
      for (const name of ['first', 'second']) {
        const certificate = { url: `https://sns.example/${name}.pem`, pem: 'x'.repeat(16 * 1_024) };
        await store.save(certificate);
        expect(await store.read()).toEqual(certificate);
      }
      await new TypeormRelayStates(opened.database).forgetTraffic();
      expect((await store.read())?.url).toContain('second');
      expect(await opened.database.read('SELECT COUNT(*) AS number FROM relay_state')).toEqual([{ number: 1 }]);
    });
  });
});

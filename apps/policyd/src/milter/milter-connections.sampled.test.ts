import { sampleSize } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import { from, ListeningMilter } from './testing/listening-milter.js';

const COUNT = sampleSize(2_000, 200);

describe('the milter', () => {
  let milter: ListeningMilter;

  beforeAll(async () => {
    milter = await ListeningMilter.start();
  });
  afterAll(() => milter.server.close(0));

  it('serves very many connections at the same time', async () => {
    const clients = await Promise.all(Array.from({ length: COUNT }, () => milter.open()));
    const answers = await Promise.all(
      clients.map((client, index) => client.send(from(index % 2 === 0 ? 'alice@acme.test' : 'carol@beta.test'))),
    );
    // The server may notice a connection later than its client, but not later than it answers.
    expect(milter.server.connections).toBe(COUNT);
    expect(answers.filter(({ reply }) => reply === null)).toHaveLength(COUNT / 2);
    for (const client of clients) client.close();
    await until('every connection to be closed', () => milter.server.connections === 0);
  });
});

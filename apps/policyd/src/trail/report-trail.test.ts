import { ApiProblem } from '@mailstead/client/api-problem';
import type { TrailItem } from './messages-in-flight.js';
import { reportTrailBy } from './report-trail.js';

const itemOf = (queueId: string): TrailItem => ({
  host: 'mx1',
  queue_id: queueId,
  at: '2026-03-15T12:00:00.000Z',
  step: 'accepted',
  direction: 'out',
  domain: 'shop.example',
  sender: 'info@shop.example',
  recipient: 'jane@far.example',
  size: null,
  message_id: null,
  reason: null,
  detail: null,
});
const idsOf = (items: readonly { queue_id: string | null }[]) => items.map(({ queue_id: id }) => id);

describe('a report of steps', () => {
  /** An API that takes a report whole, or not at all. */
  function apiThat(refuses: (id: string | null) => boolean, status = 422) {
    const taken: (string | null)[] = [];
    const troubles: unknown[] = [];
    let requests = 0;
    const post = async (_path: string, body: unknown) => {
      requests += 1;
      const ids = idsOf((body as { items: TrailItem[] }).items);
      if (ids.some(refuses)) throw new ApiProblem(status, 'validation_failed', 'A field is wrong', [], null);
      taken.push(...ids);
    };
    const report = reportTrailBy(post as never, (error) => troubles.push(error));
    return { report, taken, troubles, requests: () => requests };
  }

  const items = Array.from({ length: 500 }, (_, index) => itemOf(`Q${index}`));

  it('leaves out the steps that the API never takes, in few requests, and no others', async () => {
    const api = apiThat((id) => id === 'Q17' || id === 'Q400');
    await api.report(items);
    expect(api.taken).toEqual(idsOf(items).filter((id) => id !== 'Q17' && id !== 'Q400'));
    expect(api.troubles).toHaveLength(2);
    expect(api.requests()).toBeLessThan(40);
  });

  it('ends with the error that may pass, which is no reason to leave anything out', async () => {
    const api = apiThat(() => true, 503);
    await expect(api.report(items)).rejects.toMatchObject({ status: 503 });
    expect(api.requests()).toBe(1);
    expect(api.troubles).toEqual([]);
  });
});

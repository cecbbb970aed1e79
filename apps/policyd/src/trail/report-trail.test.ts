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

  it.each([
    [422, 'of a field'],
    [413, 'of the size of a request'],
    [400, 'of its text'],
  ])(
    'leaves out the steps that the API never takes (%d) because %s, in few requests, and no others',
    async (status) => {
      const api = apiThat((id) => id === 'Q17' || id === 'Q400', status);
      await api.report(items);
      expect(api.taken).toEqual(idsOf(items).filter((id) => id !== 'Q17' && id !== 'Q400'));
      expect(api.troubles).toHaveLength(2);
      expect(api.requests()).toBeLessThan(40);
    },
  );

  it.each([401, 403, 404, 429, 500, 503])('ends with %d, which may pass, and leaves nothing out', async (status) => {
    const api = apiThat(() => true, status);
    await expect(api.report(items)).rejects.toMatchObject({ status });
    expect(api.requests()).toBe(1);
    expect(api.troubles).toEqual([]);
  });
});

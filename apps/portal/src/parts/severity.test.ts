import type { DomainState } from '../api/shapes.js';
import { severityOf } from './severity.js';

const stateOf = (sends: DomainState['sends'], receives: DomainState['receives']) =>
  ({ sends, receives, reason: null, until: null }) as DomainState;

describe('the severity of a domain', () => {
  it.each([
    { sends: 'yes', receives: 'yes', severity: null },
    { sends: 'at_risk', receives: 'yes', severity: 'wait' },
    { sends: 'pending', receives: 'pending', severity: 'wait' },
    { sends: 'off', receives: 'off', severity: 'off' },
    { sends: 'yes', receives: 'no', severity: 'bad' },
    { sends: 'waits', receives: 'at_risk', severity: 'bad' },
    { sends: 'off', receives: 'no', severity: 'bad' },
  ] as const)('is $severity when it sends: $sends, and receives: $receives', ({ sends, receives, severity }) => {
    expect(severityOf(stateOf(sends, receives))).toBe(severity);
  });

  it('is unknown while the state is', () => {
    expect(severityOf(undefined)).toBeNull();
  });
});

import { AppError } from '../errors.js';
import { type Actor, systemActor } from './actor.js';
import { changeExpected, raiseRevision } from './revision.js';

const master = (expected?: number[]): Actor => ({
  kind: 'master',
  name: 'master',
  requestId: null,
  ...(expected === undefined ? {} : { expected }),
});
const over = (code: 'domain_quota_exceeded' | 'busy' | 'domain_not_found') => () => {
  throw new AppError(code);
};

describe('the revision', () => {
  it('is raised by a change of a caller who expects it or expects none, and by no job', () => {
    const row = { revision: 3 };
    raiseRevision(master(), row);
    raiseRevision(master([1, 4]), row);
    expect(row.revision).toBe(5);
    raiseRevision(systemActor('retention'), row);
    expect(row.revision).toBe(5);
  });

  it('another one than the caller expects refuses the change, and the error has the present one', () => {
    for (const expected of [[2, 4], []]) {
      const row = { revision: 3 };
      expect(() => raiseRevision(master(expected), row)).toThrow(
        expect.objectContaining({ code: 'changed_meanwhile', members: { revision: 3 } }),
      );
      expect(row.revision).toBe(3);
    }
  });

  it.each([
    ['domain_quota_exceeded', [2], 'changed_meanwhile'],
    ['domain_quota_exceeded', [3], 'domain_quota_exceeded'],
    ['busy', [2], 'busy'],
    ['domain_not_found', [2], 'domain_not_found'],
  ] as const)('of %s to a caller who expects %j, %s is said', async (code, expected, said) => {
    const changed = changeExpected(master([...expected]), { revision: 3 }, over(code));
    await expect(changed).rejects.toMatchObject({ code: said });
  });
});

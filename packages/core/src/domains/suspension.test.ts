import fc from '../../../../scripts/fast-check.mjs';
import { SUSPENSION_CAUSES, withCause, withoutCause } from './suspension.js';

const cause = fc.constantFrom(...SUSPENSION_CAUSES);

describe('suspension causes', () => {
  it('are a set: setting a cause twice is the same as setting it once, and lifting a cause lifts no other cause', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ cause, set: fc.boolean() })), (changes) => {
        const expected = new Set<string>();
        let causes: ReturnType<typeof withCause> = [];
        for (const change of changes) {
          causes = change.set ? withCause(causes, change.cause) : withoutCause(causes, change.cause);
          if (change.set) expected.add(change.cause);
          else expected.delete(change.cause);
        }
        expect(new Set(causes)).toEqual(expected);
        expect(causes).toHaveLength(expected.size);
      }),
    );
  });
});

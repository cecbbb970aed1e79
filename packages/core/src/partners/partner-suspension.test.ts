import fc from '../../../../scripts/fast-check.mjs';
import {
  OPERATOR_CAUSES,
  PARTNER_STAGES,
  type PartnerSuspensions,
  widestStage,
  withoutSuspension,
  withSuspension,
} from './partner-suspension.js';

const cause = fc.constantFrom(...OPERATOR_CAUSES);
const stage = fc.option(fc.constantFrom(...PARTNER_STAGES));

describe('the suspensions of a partner', () => {
  it('have one stage for each cause, lifting one cause lifts no other, and the widest stage holds', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ cause, stage })), (changes) => {
        const expected = new Map<string, string>();
        let suspensions: PartnerSuspensions = [];
        for (const change of changes) {
          if (change.stage === null) {
            suspensions = withoutSuspension(suspensions, change.cause);
            expected.delete(change.cause);
          } else {
            suspensions = withSuspension(suspensions, { cause: change.cause, stage: change.stage });
            expected.set(change.cause, change.stage);
          }
        }
        expect(suspensions).toEqual(
          OPERATOR_CAUSES.filter((each) => expected.has(each)).map((each) => ({
            cause: each,
            stage: expected.get(each),
          })),
        );
        const stages = [...expected.values()];
        const widest = stages.length === 0 ? null : stages.includes('all') ? 'all' : 'changes';
        expect(widestStage(suspensions)).toBe(widest);
      }),
    );
  });
});

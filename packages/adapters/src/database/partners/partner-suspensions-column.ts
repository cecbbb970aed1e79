import type { PartnerSuspension, PartnerSuspensions } from '@mailstead/core/partners/partner-suspension';

/** Reads and writes the suspensions of a partner, stored as `operator:all,billing:changes`, or null. */
export const suspensionsTransformer = { from: parseSuspensions, to: joinSuspensions };

function parseSuspensions(value: unknown): PartnerSuspensions {
  if (typeof value !== 'string' || value === '') return [];
  return value.split(',').map((word) => {
    const [cause, stage] = word.split(':');
    return { cause, stage } as PartnerSuspension;
  });
}

function joinSuspensions(value: unknown): string | null {
  const suspensions = (value ?? []) as PartnerSuspensions;
  if (suspensions.length === 0) return null;
  return suspensions.map(({ cause, stage }) => `${cause}:${stage}`).join(',');
}

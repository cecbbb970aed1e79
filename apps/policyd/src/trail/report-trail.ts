import { ApiProblem } from '@mailstead/client/api-problem';
import type { PostJson } from '@mailstead/client/post-json';
import type { ReportTrail } from './trail-follower.js';

/** Statuses of requests that are never taken as they are. A proxy before the API answers 413 too. */
const NEVER_TAKEN = new Set([400, 413, 422]);

/**
 * Sends steps to the API. When the API takes none because of one of them, or because they are too many for a proxy
 * before it, each half is sent alone, so that only the steps that are never taken are left out. Of these `onTrouble` is
 * told.
 */
export function reportTrailBy(post: PostJson, onTrouble: (error: unknown) => void): ReportTrail {
  const report: ReportTrail = async (items) => {
    try {
      await post('/outbound/trail', { items: [...items] });
    } catch (error) {
      if (!(error instanceof ApiProblem) || !NEVER_TAKEN.has(error.status)) throw error;
      if (items.length === 1) return onTrouble(error);
      const half = Math.ceil(items.length / 2);
      await report(items.slice(0, half));
      await report(items.slice(half));
    }
  };
  return report;
}

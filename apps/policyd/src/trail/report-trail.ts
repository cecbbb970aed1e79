import { ApiProblem } from '@mailstead/client/api-problem';
import type { PostJson } from '@mailstead/client/post-json';
import type { ReportTrail } from './trail-follower.js';

/**
 * Sends steps to the API. When the API takes none because of one of them (422), each half is sent alone, so that only
 * the steps that are never taken are left out. Of these `onTrouble` is told.
 */
export function reportTrailBy(post: PostJson, onTrouble: (error: unknown) => void): ReportTrail {
  const report: ReportTrail = async (items) => {
    try {
      await post('/outbound/trail', { items: [...items] });
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 422) throw error;
      if (items.length === 1) return onTrouble(error);
      const half = Math.ceil(items.length / 2);
      await report(items.slice(0, half));
      await report(items.slice(half));
    }
  };
  return report;
}

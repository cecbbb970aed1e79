import type { OperatorCaller } from '@mailstead/core/operators/caller';

/** Whoever has METRICS_TOKEN, on the routes that accept it. */
export const METRICS_READER: OperatorCaller = { kind: 'operator', name: 'metrics', scope: 'read' };

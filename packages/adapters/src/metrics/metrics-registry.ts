import { token } from '@mailstead/core/needs';
import type { Registry } from 'prom-client';

/** The registry of the metrics of one process. */
export type MetricsRegistry = Registry;
export const MetricsRegistry = token<MetricsRegistry>('MetricsRegistry');

import { needs } from '@mailstead/core/needs';
import type { Route } from '../http/route.js';

/**
 * Every route of the application. `createService` fills the list, because the routes of the documents are in it too.
 */
@needs()
export class ServedRoutes {
  readonly all: Route[] = [];
}

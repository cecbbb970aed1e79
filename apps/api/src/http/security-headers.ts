import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/**
 * Returns helmet's headers. They are the same for every request, so they are computed once: running helmet's fourteen
 * middlewares for each request would take longer than a usual response.
 */
export function securityHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name] = value;
    },
    removeHeader: () => undefined,
  };
  helmet({
    // These headers are for obsolete browsers, or for kinds of pages that this service does not have.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, useDefaults: false },
  })({} as IncomingMessage, recorder as unknown as ServerResponse, () => undefined);
  return headers;
}

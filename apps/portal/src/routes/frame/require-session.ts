import { redirect } from '@tanstack/react-router';
import { codeOf, sentenceOf, statusOf } from '../../api/problem.js';
import { sessionQuery } from '../../api/session.js';
import { speakTo } from '../../texts/speak.js';
import type { RouterContext } from '../context.js';

interface Arrival {
  context: RouterContext;
  location: { pathname: string; searchStr: string };
}

/** Lets in who has a session. A link that shows one page, or one domain, leads to it from everywhere else. */
export async function requireSession({ context, location }: Arrival): Promise<void> {
  const session = await context.queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
    if (statusOf(error) === null) throw error;
    // Who comes without a session needs no reason.
    const isExpected = codeOf(error) === 'missing_token';
    throw redirect({
      to: '/enter',
      search: { to: location.pathname + location.searchStr, ...(isExpected ? {} : reasonOf(error)) },
    });
  });
  await speakTo(session.caller);
  const { link, domains } = session.caller;
  const domain = domains?.[0];
  if (link === null || domain === undefined) return;
  const own = `/domains/${domain}`;
  if (link === 'dns' && location.pathname !== `${own}/dns`)
    throw redirect({ to: '/domains/$domain/dns', params: { domain } });
  if (link === 'manage' && !`${location.pathname}/`.startsWith(`${own}/`))
    throw redirect({ to: '/domains/$domain', params: { domain } });
}

/** Nothing but English is spoken before the door, so this is the API's own sentence. */
function reasonOf(error: unknown): { why: string; code: string } {
  return { why: sentenceOf(error), code: codeOf(error) ?? '' };
}

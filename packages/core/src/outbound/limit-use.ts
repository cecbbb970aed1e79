import type { OutboundFacts, OutboundStop } from './decide-outbound.js';
import { operatorLimits, type TierLimits } from './outbound-settings.js';
import { type StopContext, seesParent } from './verdict-causes.js';

export const LIMIT_SETTERS = ['operator', 'partner'] as const;

/** The limit that is a reason, and what is used of it. */
export interface LimitUse {
  /** Outside recipients; bytes with `transfer_limit`. */
  value: number;
  used: number;
  /** Whose limit it is: `partner` for one that the partner set below the operator's, and for that of a mailbox. */
  setBy: (typeof LIMIT_SETTERS)[number];
}

/** @returns null for other reasons, and for a limit of a parent that the caller does not see */
export function limitUseOf(
  { reason, limitedBy }: OutboundStop,
  facts: OutboundFacts,
  { own, parent, viewer }: StopContext,
  tiers: TierLimits,
  now: Date,
): LimitUse | null {
  const { mailbox, transfer } = facts;
  if (reason === 'transfer_limit') return { value: transfer.cap, used: transfer.used, setBy: 'operator' };
  if (reason === 'mailbox_limit') {
    return mailbox === null ? null : { value: mailbox.dailyLimit, used: mailbox.sentToday, setBy: 'partner' };
  }
  if (reason !== 'daily_limit' && reason !== 'monthly_limit') return null;
  const [account, domain] = limitedBy === null ? [facts.own, own] : [facts.parent, parent];
  if (account === null || domain === null || (domain !== own && !seesParent(viewer, domain))) return null;
  const field = reason === 'daily_limit' ? 'dailyLimit' : 'monthlyLimit';
  const value = account.limits[field];
  const isOperators = operatorLimits(domain, domain === own ? parent : null, tiers, now)[field] === value;
  return {
    value,
    used: reason === 'daily_limit' ? account.sentToday : account.sentThisMonth,
    setBy: isOperators ? 'operator' : 'partner',
  };
}

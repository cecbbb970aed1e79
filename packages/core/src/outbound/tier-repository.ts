import type { OutboundLimits, OutboundTier, TierLimits } from './outbound-settings.js';

/** The limits of each tier. All tiers always exist. */
export abstract class TierRepository {
  abstract list(): Promise<TierLimits>;
  abstract set(tier: OutboundTier, limits: OutboundLimits): Promise<void>;
}

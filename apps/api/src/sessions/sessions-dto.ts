import type { CallerSession } from '@mailstead/core/operators/caller';
import { LINK_KINDS } from '@mailstead/core/portal-links/portal-link';
import type { CodePreview } from '@mailstead/core/sessions/enter-by-code';
import type { Session } from '@mailstead/core/sessions/session';
import { presentShownBrand, ShownBrandResponse } from '../brands/brand-dto.js';
import { Bool, Enum, Integer, Nested, Text, Time } from '../http/fields.js';
import { timestamp } from '../http/timestamp.js';
import { MeResponse } from '../me/me-dto.js';

const CSRF_EXAMPLE = '6Jc0a5ZbTq3oUuVtHkQyR1WmXw8s2NfL9pDgEiB7zKY';

export class OpenSessionBody {
  @Text({
    min: 43,
    max: 43,
    optional: true,
    description: 'The code of a portal link. Without it, the bearer token decides who enters',
  })
  code?: string;
}

export class PreviewCodeBody {
  @Text({ min: 43, max: 43, description: 'The code of a portal link', example: CSRF_EXAMPLE }) code!: string;
}

export class CodePreviewResponse {
  @Enum(['master', 'client'], { description: 'The kind of caller that one will be', example: 'client' }) kind!: string;
  @Enum(LINK_KINDS, { nullable: true, description: 'The kind of link; null for master', example: 'dns' })
  link!: string | null;
  @Text({ nullable: true, description: 'The domain of the link; null for master', example: 'example.com' })
  domain!: string | null;
  @Nested(ShownBrandResponse, {
    nullable: true,
    description:
      'What the partner of the domain shows its customers; null for nothing, for master, and while the partner is suspended',
  })
  brand!: ShownBrandResponse | null;
  @Time({ description: 'Until when one can enter with the code' }) expires_at!: string;
}

export class CurrentSessionResponse {
  @Integer({ min: 1, description: 'The id of the session', example: 1 }) id!: number;
  @Nested(MeResponse, { description: 'Who entered, as `GET /me` says' }) caller!: MeResponse;
  @Text({ description: 'The `X-CSRF-Token` of every request that changes something', example: CSRF_EXAMPLE })
  csrf_token!: string;
  @Time({ description: 'When the session ends at the latest' }) expires_at!: string;
}

export class SessionResponse {
  @Integer({ min: 1, description: 'The id of the session', example: 1 }) id!: number;
  @Bool({ description: 'Whether it is the session of this request', example: true }) current!: boolean;
  @Time({ description: 'When it was opened' }) created_at!: string;
  @Time({ description: 'When a request was made with it, to a few seconds' }) last_used_at!: string;
  @Time({ description: 'When it ends at the latest' }) expires_at!: string;
}

export function presentSession(session: Session, current: CallerSession | undefined): SessionResponse {
  return {
    id: session.id,
    current: session.id === current?.id,
    created_at: timestamp(session.createdAt),
    last_used_at: timestamp(session.lastUsedAt),
    expires_at: timestamp(session.expiresAt),
  };
}

export function presentPreview({ link, domain, brand, expiresAt }: CodePreview): CodePreviewResponse {
  return {
    kind: link === null ? 'master' : 'client',
    link,
    domain,
    brand: presentShownBrand(brand),
    expires_at: timestamp(expiresAt),
  };
}

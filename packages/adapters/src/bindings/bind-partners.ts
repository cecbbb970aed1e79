import { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { CreateKey } from '@mailstead/core/api-keys/issue-key';
import { KeyLocks } from '@mailstead/core/api-keys/key-locks';
import { KeyRoom } from '@mailstead/core/api-keys/key-room';
import { CreateOwnKey } from '@mailstead/core/api-keys/make-api-key';
import { RemoveKeys } from '@mailstead/core/api-keys/remove-keys';
import { RotateApiKey } from '@mailstead/core/api-keys/rotate-api-key';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, HOUR_MS } from '@mailstead/core/clock';
import { MendCounts } from '@mailstead/core/counts/mend-counts';
import { RowCounts } from '@mailstead/core/counts/row-counts';
import { DomainLocks } from '@mailstead/core/domains/domain-locks';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { KnownTokens } from '@mailstead/core/limits/known-tokens';
import { WrongTokens } from '@mailstead/core/limits/wrong-tokens';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { Meters } from '@mailstead/core/meters';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { ChangePartner } from '@mailstead/core/partner-changes/change-partner';
import { SuspendPartner } from '@mailstead/core/partner-changes/suspend-partner';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { CreatePortalLink } from '@mailstead/core/portal-links/create-portal-link';
import { DeletePortalLink } from '@mailstead/core/portal-links/delete-portal-link';
import { PortalLinkRepository } from '@mailstead/core/portal-links/portal-link-repository';
import { RandomSource } from '@mailstead/core/random-source';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';
import { EnterByCode } from '@mailstead/core/sessions/enter-by-code';
import { OpenSession } from '@mailstead/core/sessions/open-session';
import { ResolveCaller } from '@mailstead/core/sessions/resolve-caller';
import { SessionLifetime } from '@mailstead/core/sessions/session-lifetime';
import { SessionRepository } from '@mailstead/core/sessions/session-repository';
import { TerminalCode } from '@mailstead/core/sessions/terminal-code';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Container } from 'inversify';
import { BcryptPasswordHasher } from '../bcrypt/bcrypt-password-hasher.js';
import type { Config } from '../config.js';
import { operatorTokensOf } from '../config-lists.js';
import { CryptoRandomSource } from '../crypto/crypto-random-source.js';
import { OperatorTokens } from '../crypto/operator-tokens.js';
import { TokenAuthenticator } from '../crypto/token-authenticator.js';
import { constant, provide, provideAlias, provideSelf } from '../provide.js';

/** Binds the authentication of callers and the hashing of passwords. */
export function bindSecurity(container: Container, config: Readonly<Config>): void {
  provide(container, RandomSource, CryptoRandomSource);
  provideSelf(container, OperatorTokens, constant(operatorTokensOf(config)));
  provideAlias(container, TokenHasher, OperatorTokens);
  provideSelf(container, ResolveCaller, TokenHasher, Clock);
  provideSelf(container, TerminalCode, Clock);
  provideSelf(container, SessionLifetime, Clock, constant(config.sessionIdleHours * HOUR_MS));
  provide(
    container,
    Authenticator,
    TokenAuthenticator,
    OperatorTokens,
    ApiKeyRepository,
    SessionRepository,
    WrongTokens,
    Clock,
    SessionLifetime,
    ResolveCaller,
  );
  provideSelf(container, CsrfTokens, constant(config.secretKey));
  provideSelf(
    container,
    OpenSession,
    UnitOfWork,
    ApiKeyRepository,
    SessionRepository,
    TokenHasher,
    RandomSource,
    KnownTokens,
    Clock,
  );
  provideSelf(
    container,
    EnterByCode,
    UnitOfWork,
    PortalLinkRepository,
    ResolveCaller,
    OpenSession,
    TerminalCode,
    WrongTokens,
    TokenHasher,
    Clock,
  );
  provideSelf(
    container,
    CreatePortalLink,
    UnitOfWork,
    DomainLocks,
    ApiKeyRepository,
    PortalLinkRepository,
    TokenHasher,
    RandomSource,
    AuditLog,
    Clock,
  );
  provideSelf(container, DeletePortalLink, UnitOfWork, PortalLinkRepository, AuditLog, Clock);
  provide(container, PasswordHasher, BcryptPasswordHasher, constant(config.bcryptCost));
}

export function bindPartners(container: Container): void {
  provideSelf(container, CreateApiKey, UnitOfWork, PartnerRepository, ApiKeyRepository, TokenHasher, AuditLog, Clock);
  provideSelf(container, KeyLocks, PartnerRepository, ApiKeyRepository);
  provideSelf(container, RemoveKeys, ApiKeyRepository, AuditLog);
  provideSelf(container, KeyRoom, ApiKeyRepository, RemoveKeys);
  provideSelf(container, UpdateApiKey, UnitOfWork, KeyLocks, ApiKeyRepository, AuditLog, Clock);
  provideSelf(container, DeleteApiKey, UnitOfWork, KeyLocks, RemoveKeys, Clock);
  provideSelf(container, CreateKey, PartnerRepository, ApiKeyRepository, TokenHasher, RandomSource);
  provideSelf(container, CreateOwnKey, UnitOfWork, KeyLocks, KeyRoom, CreateKey, ApiKeyRepository, AuditLog, Clock);
  provideSelf(container, RotateApiKey, UnitOfWork, KeyLocks, KeyRoom, CreateKey, ApiKeyRepository, AuditLog, Clock);
  provideSelf(container, ChangePartner, UnitOfWork, PartnerRepository, AuditLog, Clock);
  provideSelf(container, SuspendPartner, UnitOfWork, PartnerRepository, AuditLog, Clock);
  provideSelf(
    container,
    MendCounts,
    UnitOfWork,
    RowCounts,
    PartnerRepository,
    DomainRepository,
    AuditLog,
    Meters,
    Clock,
  );
}

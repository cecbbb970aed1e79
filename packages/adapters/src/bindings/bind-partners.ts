import { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock } from '@mailstead/core/clock';
import { MendCounts } from '@mailstead/core/counts/mend-counts';
import { RowCounts } from '@mailstead/core/counts/row-counts';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { Meters } from '@mailstead/core/meters';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { RandomSource } from '@mailstead/core/random-source';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Container } from 'inversify';
import { BcryptPasswordHasher } from '../bcrypt/bcrypt-password-hasher.js';
import { type Config, operatorTokensOf } from '../config.js';
import { CryptoRandomSource } from '../crypto/crypto-random-source.js';
import { OperatorTokens } from '../crypto/operator-tokens.js';
import { TokenAuthenticator } from '../crypto/token-authenticator.js';
import { constant, provide, provideAlias, provideSelf } from '../provide.js';

/** Binds the authentication of callers and the hashing of passwords. */
export function bindSecurity(container: Container, config: Readonly<Config>): void {
  provide(container, RandomSource, CryptoRandomSource);
  provideSelf(container, OperatorTokens, constant(operatorTokensOf(config)));
  provideAlias(container, TokenHasher, OperatorTokens);
  provide(container, Authenticator, TokenAuthenticator, OperatorTokens, ApiKeyRepository, Clock);
  provide(container, PasswordHasher, BcryptPasswordHasher, constant(config.bcryptCost));
}

export function bindPartners(container: Container): void {
  provideSelf(container, CreateApiKey, UnitOfWork, PartnerRepository, ApiKeyRepository, TokenHasher, AuditLog, Clock);
  provideSelf(container, UpdateApiKey, UnitOfWork, ApiKeyRepository, AuditLog, Clock);
  provideSelf(container, DeleteApiKey, UnitOfWork, ApiKeyRepository, AuditLog, Clock);
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

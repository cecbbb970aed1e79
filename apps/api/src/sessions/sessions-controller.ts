import { hasBearer } from '@mailstead/adapters/crypto/bearer-token';
import { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { AppError, type ErrorCode, invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import type { Caller, CallerSession } from '@mailstead/core/operators/caller';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';
import { EnterByCode, type GivenCode } from '@mailstead/core/sessions/enter-by-code';
import { type OpenedSession, OpenSession } from '@mailstead/core/sessions/open-session';
import { SessionLifetime } from '@mailstead/core/sessions/session-lifetime';
import { sessionOwnerOf } from '@mailstead/core/sessions/session-owner';
import { SessionRepository } from '@mailstead/core/sessions/session-repository';
import type { Entrance } from '../http/admission.js';
import { authorize } from '../http/authorize.js';
import { onlyField } from '../http/body-fields.js';
import { keyHandleParam } from '../http/parse.js';
import { WithHeaders } from '../http/responses.js';
import { type Controller, type Route, type RouteRequest, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import { DescribeCaller } from '../me/describe-caller.js';
import { sessionCookie } from './session-cookie-header.js';
import {
  CodePreviewResponse,
  CurrentSessionResponse,
  OpenSessionBody,
  PreviewCodeBody,
  presentPreview,
  presentSession,
  SessionResponse,
} from './sessions-dto.js';

const OF_TOKEN = [
  'missing_token',
  'invalid_token',
  'api_key_inactive',
  'api_key_expired',
  'rate_limited',
] as const satisfies ErrorCode[];
const OF_CODE = [
  'invalid_code',
  'too_many_wrong_tokens',
  'session_needs_tls',
  'origin_not_allowed',
  'restore_not_accepted',
] as const satisfies ErrorCode[];
/** The value of `:session` for the session of the request. */
const CURRENT = 'current';
/** The maximum size of a body that has nothing but a code: strangers send it. */
const BODY_LIMIT_BYTES = 4 * 1_024;
/** Who may open a session. */
const WHO_MAY_ENTER = { method: 'post', access: 'public', notForScopes: ['policy'] } as const;

@needs(
  Authenticator,
  OpenSession,
  EnterByCode,
  SessionRepository,
  ApiKeyRepository,
  TokenHasher,
  CsrfTokens,
  DescribeCaller,
  SessionLifetime,
  RestoreGate,
)
export class SessionsController implements Controller {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly openSession: OpenSession,
    private readonly enterByCode: EnterByCode,
    private readonly sessions: SessionRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: TokenHasher,
    private readonly csrf: CsrfTokens,
    private readonly describeCaller: DescribeCaller,
    private readonly lifetime: SessionLifetime,
    private readonly gate: RestoreGate,
  ) {}

  routes(): Route[] {
    return [
      route({
        path: '/sessions',
        ...WHO_MAY_ENTER,
        summary: 'Open a session for the portal, with a bearer token or the code of a link',
        description:
          'Answers with the cookie `__Host-mailstead`, which replaces another one. Without TLS sessions are for the machine of the service alone.',
        errors: [...OF_TOKEN, 'scope_not_allowed', ...OF_CODE],
        setsCookie: true,
        body: OpenSessionBody,
        bodyOptional: true,
        bodyLimitBytes: BODY_LIMIT_BYTES,
        response: CurrentSessionResponse,
        status: 201,
        admit: (entrance) => this.admit(entrance),
        run: async (request) => {
          const { caller, session, cookie } = await this.open(request);
          return new WithHeaders(sessionCookie(cookie), await this.present(caller, session));
        },
      }),
      route({
        method: 'post',
        path: '/sessions/preview',
        access: 'public',
        summary: 'Read who one will be with a code, without entering',
        description: 'Uses nothing up. A wrong code is 401 and counts like a wrong token.',
        errors: [...OF_CODE, 'rate_limited'],
        body: PreviewCodeBody,
        bodyLimitBytes: BODY_LIMIT_BYTES,
        response: CodePreviewResponse,
        admit: async ({ checkOrigin }) => {
          this.gate.refuse();
          checkOrigin();
        },
        run: async (request) =>
          presentPreview(await this.enterByCode.preview(given(onlyField(request.body, 'code'), request))),
      }),
      route({
        method: 'get',
        path: '/sessions',
        access: 'any',
        summary: 'List the sessions of the caller, oldest first',
        response: [SessionResponse],
        run: async ({ actor }) => {
          const all = await this.sessions.list(sessionOwnerOf(requireCaller(actor)));
          return all
            .filter((session) => !this.lifetime.hasEnded(session))
            .filter((session) => !isOfLink(actor) || session.id === sessionOf(actor)?.id)
            .map((session) => presentSession(session, sessionOf(actor)));
        },
      }),
      route({
        method: 'get',
        path: '/sessions/current',
        access: 'any',
        dnsLink: true,
        summary: 'Read the session of this request, its caller and its CSRF token',
        errors: ['session_not_found'],
        response: CurrentSessionResponse,
        run: async ({ actor }) => this.present(requireCaller(actor), currentOf(actor)),
      }),
      route({
        method: 'delete',
        path: '/sessions/:session',
        access: 'any',
        dnsLink: true,
        whileSuspended: true,
        summary: 'End a session of the caller, by its id or `current`',
        setsCookie: true,
        response: null,
        status: 204,
        run: async ({ actor, params }) => {
          const current = sessionOf(actor);
          const id = params.session === CURRENT ? current?.id : idOf(params.session);
          // The sessions of one link are those of several people.
          const isOthers = isOfLink(actor) && id !== current?.id;
          if (id === undefined || isOthers || !(await this.sessions.remove(sessionOwnerOf(requireCaller(actor)), id))) {
            throw new AppError('session_not_found');
          }
          return new WithHeaders(id === current?.id ? sessionCookie(null) : {}, undefined);
        },
      }),
      route({
        method: 'delete',
        path: '/api-keys/:token/sessions',
        access: 'master',
        summary: 'End all sessions of an API key',
        response: null,
        status: 204,
        run: async ({ params }) => {
          const key = await this.apiKeys.find(keyHandleParam(params.token, this.tokens));
          if (key === null) throw new AppError('api_key_not_found');
          await this.sessions.removeAll({ kind: 'key', id: key.id });
        },
      }),
    ];
  }

  /** Checks the bearer token, when there is one. A code is in the body, so it is checked later. */
  private async admit({ credentials, charge, checkOrigin }: Entrance): Promise<void> {
    this.gate.refuse();
    const caller = hasBearer(credentials.header)
      ? await this.authenticator.authenticate({ ...credentials, cookie: undefined })
      : null;
    if (caller !== null) charge(caller);
    checkOrigin();
    if (caller !== null) authorize(caller, WHO_MAY_ENTER);
  }

  /** @throws AppError missing_token, validation_failed, and those of a code */
  private async open(
    request: RouteRequest<OpenSessionBody, object, unknown>,
  ): Promise<OpenedSession & { caller: Caller }> {
    const { actor, body } = request;
    const code = onlyField(body, 'code');
    if (actor.kind === 'system') {
      if (code === undefined) throw new AppError('missing_token');
      return this.enterByCode.execute(given(code, request));
    }
    if (code !== undefined) throw invalidField('code', 'cannot be used together with a bearer token');
    return { ...(await this.openSession.execute(actor)), caller: actor };
  }

  private async present(caller: Caller, session: CallerSession): Promise<CurrentSessionResponse> {
    return {
      id: session.id,
      caller: await this.describeCaller.execute(caller),
      csrf_token: this.csrf.of(session.tokenHash),
      expires_at: timestamp(session.expiresAt),
    };
  }
}

/** @throws AppError missing_token for a request without a token */
function requireCaller(actor: Actor): Caller {
  if (actor.kind === 'system') throw new AppError('missing_token');
  return actor;
}

function sessionOf(actor: Actor): CallerSession | undefined {
  return actor.kind === 'system' ? undefined : actor.session;
}

/** @throws AppError session_not_found for a caller with a bearer token */
function currentOf(actor: Actor): CallerSession {
  const session = sessionOf(actor);
  if (session === undefined) throw new AppError('session_not_found');
  return session;
}

function isOfLink(actor: Actor): boolean {
  return actor.kind === 'client' && actor.credential.kind === 'link';
}

function given(
  code: string,
  { sender, charge }: Pick<RouteRequest<object, object, unknown>, 'sender' | 'charge'>,
): GivenCode {
  return { code, address: sender.address, isLocal: sender.isLocal(), charge };
}

function idOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

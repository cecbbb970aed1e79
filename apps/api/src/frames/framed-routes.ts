import { randomUUID } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import { FRAMED_PATHS } from '@mailstead/core/frames/frame';
import type { Caller } from '@mailstead/core/operators/caller';
import { requestOwnerOf } from '@mailstead/core/sessions/session-owner';
import { readTraceparent, traced } from '@mailstead/core/trace';
import type { HttpOptions } from '../http/http.js';
import { appErrorOf, problemOf, statusOf } from '../http/problem.js';
import { readRequest } from '../http/read-request.js';
import type { LogFields, RequestLine } from '../http/request-log.js';
import type { Route } from '../http/route.js';
import type { FrameRequest } from './frame-request.js';

/** Who sends on a connection. */
export interface FrameSender {
  token: string;
  /** The IP address; wrong tokens count for it. */
  address: string;
  /** Returns a signal that aborts when the connection is closed. */
  closeSignal: () => AbortSignal;
}

/** What the log line of a request says, beside its ids. */
interface Served {
  route: string;
  started: number;
  caller: Caller | null;
  errorCode: string | null;
  added: LogFields;
  status: number;
}

/**
 * Serves the routes of the policy daemon by frames: the same rows of the controllers with the same checks as by HTTP,
 * in the same order, without what only HTTP needs. Each request is counted; one that was accepted has a log line with
 * `LOG_LEVEL=debug` only.
 */
export class FramedRoutes {
  private readonly byPath: ReadonlyMap<string, Route>;

  /** @throws Error when a path has no route, or one without a body or not for the scope `policy` */
  constructor(
    routes: readonly Route[],
    private readonly options: Pick<HttpOptions, 'admission' | 'changesOf' | 'log' | 'turns'>,
  ) {
    const posts = new Map(routes.filter(({ method }) => method === 'post').map((each) => [each.path, each]));
    this.byPath = new Map(FRAMED_PATHS.map((path) => [path, framed(posts.get(path), path)]));
  }

  /** Checks the token of a connection. @throws AppError as for a request */
  async greet(sender: FrameSender): Promise<void> {
    for (const route of this.byPath.values()) await this.callerOf(route, sender);
  }

  /**
   * Checks the token anew, runs a request and counts it. Never throws.
   *
   * @returns the JSON text of the answer
   */
  answer(request: FrameRequest, sender: FrameSender): Promise<string> {
    const traceId = readTraceparent(request.traceparent);
    const isSecret = traceId !== null && sender.token.includes(traceId);
    return traced(isSecret ? null : traceId, () => this.serve(request, sender));
  }

  /** Counts and logs the end of a connection because of an error. @returns the JSON text that says so */
  refusal(error: unknown, secrets: readonly string[]): string {
    const requestUid = randomUUID();
    const served = { route: '', started: performance.now(), caller: null, added: {} };
    const problem = traced(null, () => this.problemOf(error, requestUid, secrets));
    this.log(requestUid, { ...served, errorCode: problem.code, status: statusOf(problem.kind) });
    return textOf(null, problem, requestUid);
  }

  private async serve({ id, path, body: raw }: FrameRequest, sender: FrameSender): Promise<string> {
    const pending = this.options.turns.begin();
    const requestUid = randomUUID();
    const served: Served = {
      route: '',
      started: performance.now(),
      caller: null,
      errorCode: null,
      added: {},
      status: 200,
    };
    let text: string;
    try {
      const route = this.byPath.get(path);
      if (route === undefined) throw new AppError('route_not_found');
      served.route = route.path;
      served.caller = await this.callerOf(route, sender);
      const result = await this.run(route, raw, { requestUid, caller: served.caller, sender, added: served.added });
      text = `{"id":${id},"status":200,"body":${JSON.stringify(result)}}`;
    } catch (error) {
      const problem = this.problemOf(error, requestUid, [sender.token]);
      Object.assign(served, { errorCode: problem.code, status: statusOf(problem.kind) });
      text = textOf(id, problem, requestUid);
    }
    pending.end();
    this.log(requestUid, served);
    return text;
  }

  private async run(
    route: Route,
    raw: unknown,
    {
      requestUid,
      caller,
      sender,
      added,
    }: { requestUid: string; caller: Caller; sender: FrameSender; added: LogFields },
  ): Promise<unknown> {
    const { query, body } = readRequest(route, '', raw);
    const ids = { requestId: requestUid, requestUid };
    return this.options.changesOf(requestOwnerOf(caller), () =>
      route.run({
        actor: { ...caller, ...ids },
        params: {},
        headers: {},
        sender: { address: () => sender.address, isLocal: () => true },
        query,
        body,
        prepared: undefined,
        identify: async () => ({ ...(await this.callerOf(route, sender)), ...ids }),
        closeSignal: sender.closeSignal,
        charge: () => undefined,
        addToLog: (fields) => void Object.assign(added, fields),
        reportDefect: (error) => this.options.log.defect(error, ids, [sender.token]),
      }),
    );
  }

  /** @throws AppError as by HTTP; scope_not_allowed for every token but those of the scope `policy` */
  private async callerOf(route: Route, { token, address }: FrameSender): Promise<Caller> {
    const caller = await this.options.admission.admitToken(route, {
      header: `Bearer ${token}`,
      address: () => address,
    });
    if (caller.kind !== 'operator' || caller.scope !== 'policy') throw new AppError('scope_not_allowed');
    return caller;
  }

  private problemOf(error: unknown, requestUid: string, secrets: readonly string[]): AppError {
    const problem = appErrorOf(error) ?? new AppError('internal_error');
    if (problem.code === 'internal_error')
      this.options.log.defect(error, { requestId: requestUid, requestUid }, secrets);
    return problem;
  }

  private log(requestUid: string, { route, started, ...rest }: Served): void {
    const line: RequestLine = {
      ...rest,
      requestId: requestUid,
      requestUid,
      method: route === '' ? '(none)' : 'POST',
      path: route === '' ? '(no route)' : route,
      route,
      durationMs: performance.now() - started,
      isQuiet: rest.errorCode === null && rest.added.refused === undefined,
    };
    this.options.log.request(line);
  }
}

function framed(route: Route | undefined, path: string): Route {
  if (route === undefined || route.body === undefined || route.scopes?.includes('policy') !== true) {
    throw new Error(`POST ${path} is no route with a body for the scope policy`);
  }
  return route;
}

function textOf(id: number | null, problem: AppError, requestId: string): string {
  return JSON.stringify({ id, status: statusOf(problem.kind), problem: problemOf(problem, requestId) });
}

import { LoopTurns } from './loop-turns.js';
import { type Connection, Pipeline, type PipelinedRequest, type PipelinedResponse } from './pipeline.js';

/** The pipelines of the connections of an HTTP server: of each connection one request runs. */
export class Pipelines<Request extends PipelinedRequest, Response extends PipelinedResponse> {
  private readonly pipelines = new WeakMap<object, Pipeline<Request, Response>>();
  private readonly turns = new LoopTurns();

  of(connection: Connection): Pipeline<Request, Response> {
    const known = this.pipelines.get(connection);
    if (known !== undefined) return known;
    const pipeline = new Pipeline<Request, Response>(connection, this.turns);
    this.pipelines.set(connection, pipeline);
    return pipeline;
  }
}

/** @returns a listener for the requests of an HTTP server, which calls `serve` when the turn of a request comes */
export function inTurn<Request extends PipelinedRequest, Response extends PipelinedResponse>(
  serve: (request: Request, response: Response) => void,
): (request: Request, response: Response) => void {
  const pipelines = new Pipelines<Request, Response>();
  return (request, response) => {
    pipelines.of(request.socket).take(request, response, () => serve(request, response));
  };
}

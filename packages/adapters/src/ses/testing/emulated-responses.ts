import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** How a request fails. `html…` responds with an HTML page and that status, as a proxy in between may do. */
export type EmulatedFault =
  | 'html503'
  | 'html200'
  | 'html404'
  | 'hang'
  | 'hangMidBody'
  | 'closeMidBody'
  | 'reset'
  | 'accessDenied';

const HTML = '<html><head><title>Service Unavailable</title></head><body><h1>503</h1></body></html>';

export function sendFault(fault: EmulatedFault, response: ServerResponse): void {
  switch (fault) {
    case 'html503':
    case 'html200':
    case 'html404':
      response.writeHead(Number(fault.slice(4)), { 'content-type': 'text/html' }).end(HTML);
      return;
    case 'accessDenied':
      return refuse(response, 403, 'AccessDeniedException', 'User: arn:aws:iam::123456789012:user/x is not authorized');
    case 'hang':
      return;
    case 'hangMidBody':
    case 'closeMidBody':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"VerificationStatus":"SUC', () => {
        if (fault === 'closeMidBody') response.socket?.destroy();
      });
      return;
    case 'reset':
      response.socket?.destroy();
  }
}

export function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  send(response, status, { message }, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` });
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'x-amzn-requestid': randomBytes(8).toString('hex'),
      ...headers,
    })
    .end(JSON.stringify(body));
}

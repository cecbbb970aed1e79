import { AppError } from '@mailstead/core/errors';
import { isRetriedError, translateDatabaseError } from './database-error.js';
import { withRetries } from './retry.js';

const serverError = (errno: number, message = 'no', code = 'UNKNOWN_CODE_PLEASE_REPORT') =>
  Object.assign(new Error(message), { errno, code });

describe('errors of an unavailable database', () => {
  it.each([1047, 1180, 1290, 1317, 1792, 1836, 1927])('are 503 by number, and not retried: %i', (errno) => {
    const error = serverError(errno);
    expect(translateDatabaseError(error)).toMatchObject({ code: 'database_unavailable', cause: error });
    expect(translateDatabaseError(Object.assign(new Error('outer'), { driverError: error }))).toBeInstanceOf(AppError);
    expect(isRetriedError(error)).toBe(false);
  });

  it.each(['WSREP has not yet prepared node for application use', 'wsrep: node is not connected to Primary Component'])(
    'are 503 by text: %s',
    (message) => {
      expect(translateDatabaseError(serverError(0, message))).toMatchObject({ code: 'database_unavailable' });
    },
  );

  it('do not include errors caused by the statement', () => {
    const error = serverError(1064, 'You have an error in your SQL syntax', 'ER_PARSE_ERROR');
    expect(translateDatabaseError(error)).toBe(error);
  });
});

describe('work that ends in a deadlock at every attempt', () => {
  it('is 503 after the last attempt, and each attempt runs the whole work', async () => {
    const deadlock = serverError(1213, 'Deadlock found', 'ER_LOCK_DEADLOCK');
    let attempts = 0;
    const work = withRetries(() => {
      attempts += 1;
      return Promise.reject(deadlock);
    });
    await expect(work).rejects.toMatchObject({ code: 'busy', cause: deadlock });
    expect(attempts).toBe(8);
  });
});

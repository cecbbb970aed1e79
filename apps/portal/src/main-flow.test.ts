import { mainFlow } from './testing/main-flow.js';
import { TestService } from './testing/test-service.js';

describe('the main flow on sqlite', () => {
  mainFlow('sqlite', (settings) => TestService.startInProcess(settings));
});

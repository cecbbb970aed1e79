import { describeRelayWalls } from './testing/relay-walls.js';

describeRelayWalls(25, 9_041_970);

/**
 * Its classes are created in no other file.
 * @jest-environment node
 */
import { classesWithNeeds, needs, token } from './needs.js';

abstract class Engine {
  abstract power(): number;
}
class Wheels {
  constructor(readonly count: number) {}
}
interface Paint {
  colour: string;
}
const Paint = token<Paint>('Paint');

describe('the needs of a class', () => {
  it('are known with the class, in the order of the constructor', () => {
    @needs(Engine, Paint, Wheels)
    class Car {
      constructor(
        readonly engine: Engine,
        readonly paint: { colour: string },
        readonly wheels: Wheels,
      ) {}
    }
    expect(classesWithNeeds().get(Car)).toEqual([Engine, Paint, Wheels]);
    expect(Paint.name).toBe('Paint');
  });

  it('may leave out parameters with a default', () => {
    @needs(Engine)
    class Boat {
      constructor(
        readonly engine: Engine,
        readonly crew = 2,
      ) {}
    }
    expect(classesWithNeeds().get(Boat)).toEqual([Engine]);
  });

  it('do not compile when one is missing, wrong, swapped or too many', () => {
    const lines = (): unknown[] => {
      // @ts-expect-error: the last need is missing.
      @needs(Engine, Paint)
      class Missing {
        constructor(
          readonly engine: Engine,
          readonly paint: Paint,
          readonly wheels: Wheels,
        ) {}
      }
      // @ts-expect-error: an engine is no paint.
      @needs(Engine, Engine)
      class Wrong {
        constructor(
          readonly engine: Engine,
          readonly paint: Paint,
        ) {}
      }
      // @ts-expect-error: engine and wheels are swapped.
      @needs(Wheels, Engine)
      class Swapped {
        constructor(
          readonly engine: Engine,
          readonly wheels: Wheels,
        ) {}
      }
      // @ts-expect-error: there is no second parameter.
      @needs(Engine, Wheels)
      class TooMany {
        constructor(readonly engine: Engine) {}
      }
      // @ts-expect-error: no need is named.
      @needs()
      class Unnamed {
        constructor(readonly engine: Engine) {}
      }
      return [Missing, Wrong, Swapped, TooMany, Unnamed];
    };
    expect(lines).toBeInstanceOf(Function);
  });
});

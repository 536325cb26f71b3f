import type { ReactNode } from 'react';
import classes from './illustrations.module.css';

/** The town crier's things, in the colours of the theme. Decorative: the words beside them say it all. */
export type Illustration = 'scroll' | 'bell' | 'hat';

export const illustrations: Readonly<Record<Illustration, () => ReactNode>> = { scroll: Scroll, bell: Bell, hat: Hat };

const Scene = ({ children }: { children: ReactNode }) => (
  <svg viewBox="0 0 160 120" width={160} height={120} className={classes.scene} aria-hidden focusable={false}>
    <ellipse cx={80} cy={60} rx={62} ry={54} className={classes.ground} />
    {children}
  </svg>
);

/** Nothing is written yet. */
function Scroll() {
  return (
    <Scene>
      <path d="M50 28h60v64H50z" className={classes.paper} />
      <path d="M62 46h36M62 57h26M62 68h32" className={classes.writing} />
      <rect x={42} y={20} width={76} height={14} rx={7} className={classes.paper} />
      <rect x={42} y={86} width={76} height={14} rx={7} className={classes.paper} />
      <path d="M36 27h6M118 27h6M36 93h6M118 93h6" className={classes.knob} />
      <circle cx={100} cy={78} r={7} className={classes.brass} />
      <path d="M97 84l-2 9 5-3 5 3-2-9" className={classes.brass} />
    </Scene>
  );
}

/** Nothing was announced yet. */
function Bell() {
  return (
    <Scene>
      <HandBell />
      <path
        d="M35 50c-5 8-5 18-1 26M25 44c-8 12-8 27-2 38M127 52c4 8 4 16 0 24M137 46c7 11 7 24 1 36"
        className={classes.sound}
      />
    </Scene>
  );
}

/** Rings once when it appears: something was announced. */
export const RingingBell = () => (
  <svg viewBox="40 0 80 112" width={40} height={56} className={classes.scene} aria-hidden focusable={false}>
    <g className={classes.ringing}>
      <HandBell />
    </g>
  </svg>
);

const HandBell = () => (
  <g transform="rotate(14 80 52)">
    <rect x={74} y={12} width={12} height={30} rx={6} className={classes.cloth} />
    <path d="M71 40h18v6H71z" className={classes.brass} />
    <circle cx={80} cy={97} r={6} className={classes.cloth} />
    <path d="M80 46c-15 0-20 13-22 29-1 9-4 13-9 17h62c-5-4-8-8-9-17-2-16-7-29-22-29z" className={classes.brass} />
    <path d="M56 83h48" className={classes.crease} />
    <path d="M70 55c-4 5-5 11-6 18" className={classes.shine} />
  </g>
);

/** No one to speak for yet. */
function Hat() {
  return (
    <Scene>
      <path d="M104 44c8-18 22-26 34-24-2 14-14 28-30 34z" className={classes.paper} />
      <path d="M107 50c8-12 17-20 26-25" className={classes.writing} />
      <path d="M50 76V66c0-24 12-38 30-38s30 14 30 38v10z" className={classes.cloth} />
      <path
        d="M18 58c14 2 24 0 34-6 0 12 12 20 28 20s28-8 28-20c10 6 20 8 34 6-10 22-32 36-62 36S28 80 18 58z"
        className={classes.cloth}
      />
      <path d="M18 58c14 2 24 0 34-6 0 12 12 20 28 20s28-8 28-20c10 6 20 8 34 6" className={classes.trim} />
      <circle cx={104} cy={62} r={7} className={classes.brass} />
      <circle cx={104} cy={62} r={2.5} className={classes.cloth} />
    </Scene>
  );
}

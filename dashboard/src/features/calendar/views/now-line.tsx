import classes from './now-line.module.css';

/** The current time in the cell of its hour. `passed`: the part of the hour that is over. */
export const NowLine = ({ passed }: { passed: number }) => (
  <div className={classes.line} style={{ insetBlockStart: `${passed * 100}%` }} data-now aria-hidden />
);

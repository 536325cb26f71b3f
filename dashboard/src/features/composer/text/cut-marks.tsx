import { Fragment, memo } from 'react';
import { cutsIn } from './cuts.ts';
import classes from './text.module.css';

/** An identical copy behind the text that marks the cuts. For screen readers, the parts are listed below. */
export const CutMarks = memo(function CutMarks({ text, parts }: { text: string; parts: readonly string[] }) {
  const cuts = cutsIn(text, parts);
  return (
    <div className={classes.cutMarks} dir="auto" aria-hidden>
      {text.slice(0, cuts[0]?.at)}
      {cuts.map(({ at, label }, index) => (
        <Fragment key={label}>
          <span className={classes.cut} data-label={label} />
          {text.slice(at, cuts[index + 1]?.at)}
        </Fragment>
      ))}
    </div>
  );
});

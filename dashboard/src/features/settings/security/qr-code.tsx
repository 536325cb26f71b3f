import { encode } from 'uqr';
import classes from '../settings.module.css';

/** Drawn in this browser: the setup key goes to no other service. Always dark on light, because many apps need that. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={classes.qrModules} d={path.join('')} shapeRendering="crispEdges" />
    </svg>
  );
}

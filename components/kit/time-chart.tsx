import { useState } from 'react'
import styles from './time-chart.module.css'

export type ChartPoint = { id: string; label: string; part: number; whole: number }

type TimeChartProps = {
  label: string
  /** Where the same figures stand as a table. */
  about: string
  points: readonly ChartPoint[]
  words: { part: string; whole: string }
  format: (value: number) => string
}

/** A part of a whole over time: the part as bars below the line of the whole. */
export function TimeChart({ label, about, points, words, format }: TimeChartProps) {
  const [pointed, setPointed] = useState<number>()
  const most = Math.max(1, ...points.map(({ whole }) => whole))
  const heightOf = (value: number) => (value / most) * 100
  const shown = points[pointed ?? points.length - 1]
  const line = points.map(({ whole }, index) => {
    const height = 100 - heightOf(whole)
    return `${index},${height} ${index + 1},${height}`
  })
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.legend} aria-hidden="true">
        <strong>{shown?.label}</strong>
        <span>
          <i className={styles.part} /> {words.part} {shown && format(shown.part)}
        </span>
        <span>
          <i className={styles.whole} /> {words.whole} {shown && format(shown.whole)}
        </span>
      </figcaption>
      <div className={styles.scale} aria-hidden="true">
        {[most, most / 2, 0].map((value) => (
          <span key={value}>{Number.isInteger(value) && format(value)}</span>
        ))}
      </div>
      <svg
        role="img"
        aria-label={`${label}. ${about}`}
        viewBox={`0 0 ${Math.max(1, points.length)} 100`}
        preserveAspectRatio="none"
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect()
          const index = Math.floor(((clientX - left) / width) * points.length)
          setPointed(Math.min(points.length - 1, Math.max(0, index)))
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        {[0, 50, 100].map((y) => (
          <line key={y} x1={0} x2={points.length} y1={y} y2={y} className={styles.rule} />
        ))}
        {points.map(({ id, part }, index) => (
          <rect
            key={id}
            x={index + 0.15}
            width={0.7}
            y={100 - heightOf(part)}
            height={heightOf(part)}
            className={index === pointed ? styles.pointed : styles.bar}
          />
        ))}
        <polyline points={line.join(' ')} className={styles.line} />
      </svg>
      <div className={styles.times} aria-hidden="true">
        {points
          .filter((_, index) => [0, Math.floor((points.length - 1) / 2), points.length - 1].includes(index))
          .map(({ id, label: time }) => (
            <span key={id}>{time}</span>
          ))}
      </div>
    </figure>
  )
}

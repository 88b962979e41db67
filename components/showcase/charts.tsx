import { Bars } from '#components/kit/bars'
import { TimeChart } from '#components/kit/time-chart'
import { Sample } from './sample'

const percent = (share: number) => `${Math.round(share * 100)} %`

const days = Array.from({ length: 30 }, (_, index) => ({
  id: String(index),
  label: `Nov ${index + 1}`,
  part: Math.round(60 + 30 * Math.sin(index / 4) + index),
  whole: index < 12 ? 128 : 254,
}))

export const Charts = () => (
  <>
    <Sample title="Bars" as="stack">
      <Bars
        label="Use of each datacenter"
        format={percent}
        mark={{ share: 0.8, text: 'Nearly full' }}
        bars={[
          { id: 1, name: 'Madrid', share: 0.42, text: '420 of 1,000' },
          { id: 2, name: 'Singapore', share: 0.86, text: '86 of 100', state: 'warn' },
          { id: 3, name: 'Virginia', share: 1, text: '14 of 14', state: 'full' },
          { id: 4, name: 'A datacenter with a long name', share: 0, text: '0 of 0' },
        ]}
      />
    </Sample>
    <Sample title="Over time" as="stack">
      <TimeChart
        label="Use over 30 days"
        about="The same stands below as a table."
        points={days}
        words={{ part: 'Attached', whole: 'All' }}
        format={String}
      />
    </Sample>
  </>
)

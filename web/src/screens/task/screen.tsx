import { Screen } from '../../shell/screen.tsx'

export const TaskScreen = () => <Screen title="Task">{null}</Screen>

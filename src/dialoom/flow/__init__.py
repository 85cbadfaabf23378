"""The flow of a task compiled once (`TaskProgram`), and a dialogue's position (`FlowCursor`)."""

// What a cell is started with and how it ends: descriptor numbers, paths and exit codes. Plain numbers, so
// that test inmates and the cell's first stage can include them without the JSON of frames.h.
#pragma once

namespace paddock::subagents {

// Descriptors that a cell is started with.
inline constexpr int kFrameInFd = 3;        // parent → cell
inline constexpr int kFrameOutFd = 4;       // cell → parent
inline constexpr int kSecondFilterFd = 5;   // memfd with the second seccomp program, read once
inline constexpr char kWorkspacePath[] = "/workspace";
// What is shown in place of a file or folder that is hidden.
inline constexpr char kBlankFolderPath[] = "/.blank", kBlankFilePath[] = "/.blank-file";
inline constexpr char kWitnessPath[] = "/witness";  // readable by mode, denied by Landlock

// Exit codes of a cell that gives up by itself.
inline constexpr int kExitAllocFailed = 71;
inline constexpr int kExitProtocol = 72;
inline constexpr int kExitSetup = 73;

}  // namespace paddock::subagents

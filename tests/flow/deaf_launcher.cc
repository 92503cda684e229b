//   deaf_launcher FILE
//
// In the launcher's place: says that it is ready, makes FILE when a request came, and does not even take it.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/messages.h"

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  using namespace paddock::sandbox;
  StatusMessage ready;
  ready.kind = MessageKind::kLauncherReady;
  if (write(0, &ready, sizeof ready) != sizeof ready) return 1;
  StartRequest request;
  if (recv(0, &request, sizeof request, MSG_PEEK) <= 0) return 1;
  close(open(argv[1], O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  pause();
}
